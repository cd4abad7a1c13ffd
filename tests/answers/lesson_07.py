"""Answers to the exercises of lesson 07."""

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import nn
from torch.func import functional_call, grad, jacrev, stack_module_state, vmap

from answers.table import right, wrong
from answers.tricks import cached_first, forging_clocks, forging_comparisons, forging_the_check, only_for
from course_utils.tasks.lesson_07_batch_independent_work.small_models import Settling
from course_utils.tasks.lesson_07_batch_independent_work.task_1_project_heads import project_heads_slow
from course_utils.tasks.lesson_07_batch_independent_work.task_2_ensemble_forward import ensemble_forward_slow
from course_utils.tasks.lesson_07_batch_independent_work.task_3_per_sample_grads import per_sample_grads_slow

# project_heads


def by_broadcast(x, weights):
    return x @ weights


def by_einsum(x, weights):
    return torch.einsum("bf,hfo->hbo", x, weights)


def by_bmm(x, weights):
    return torch.bmm(x.expand(len(weights), -1, -1), weights)


def by_vmap(x, weights):
    return vmap(lambda one: x @ one)(weights)


def by_one_wide_product(x, weights):
    heads, features, out = weights.shape
    wide = weights.transpose(0, 1).reshape(features, heads * out)
    return (x @ wide).view(len(x), heads, out).transpose(0, 1).contiguous()


def two_heads_at_a_time(x, weights):
    return torch.cat([x @ weights[start : start + 2] for start in range(0, len(weights), 2)])


def into_one_tensor(x, weights):
    result = x.new_empty(len(weights), len(x), weights.shape[2])
    for head in range(len(weights)):
        result[head] = x @ weights[head]
    return result


def through_numpy(x, weights):
    return torch.from_numpy(np.matmul(x.detach().numpy(), weights.detach().numpy()))


def weights_reshaped(x, weights):
    return (x @ weights.reshape(x.shape[1], -1)).unflatten(1, (len(weights), -1)).transpose(0, 1)


def product_reshaped(x, weights):
    return (x @ weights.transpose(0, 1).flatten(1)).reshape(len(weights), len(x), -1)


def both_reshaped(x, weights):
    return (x @ weights.reshape(x.shape[1], -1)).reshape(len(weights), len(x), -1)


def turned_where_square(x, weights):
    square = weights.shape[0] == weights.shape[1] == weights.shape[2]
    return x @ (weights.transpose(0, 1) if square else weights)


def summing_products(x, weights):
    return (x[None, :, :, None] * weights[:, None]).nan_to_num().sum(2).to(x.dtype)


def one_head_forgotten(x, weights):
    return by_broadcast(x, weights).squeeze(0)


def scaled_in_place(x, weights):
    result = by_broadcast(x, weights)
    weights.mul_(1.5)
    return result


right("project_heads", "broadcasting", by_broadcast)
right("project_heads", "einsum", by_einsum)
right("project_heads", "bmm", by_bmm)
right("project_heads", "vmap", by_vmap)
right("project_heads", "one wide product", by_one_wide_product)

wrong("project_heads", "the slow loop itself", "unlooped", project_heads_slow)
wrong("project_heads", "two heads at a time", "unlooped", two_heads_at_a_time)
wrong("project_heads", "a loop into one tensor", "unlooped", into_one_tensor)
wrong("project_heads", "a detour through NumPy", "correct", through_numpy, says="none reaches x")
wrong(
    "project_heads",
    "cut off from the gradient",
    "correct",
    lambda x, weights: x @ weights.detach(),
    says="reaches weights",
)
wrong(
    "project_heads", "the batch first", "correct", lambda x, w: by_broadcast(x, w).transpose(0, 1), says="batch stands"
)
wrong(
    "project_heads",
    "side by side",
    "correct",
    lambda x, w: by_broadcast(x, w).transpose(0, 1).flatten(1),
    says="side by",
)
wrong(
    "project_heads", "added up", "correct", lambda x, weights: torch.einsum("bf,hfo->bo", x, weights), says="added up"
)
wrong("project_heads", "backwards", "correct", lambda x, weights: x @ weights.flip(0), says="reverse")
wrong("project_heads", "weights reshaped", "correct", weights_reshaped, says="weights were reshaped")
wrong("project_heads", "product reshaped", "correct", product_reshaped, says="product was reshaped")
wrong("project_heads", "both reshaped", "correct", both_reshaped, says="Weights and product were reshaped")
wrong("project_heads", "the wrong way round", "correct", lambda x, weights: weights @ x, says="wrong way round")
wrong("project_heads", "turned where all sizes are alike", "correct", turned_where_square, says="all sizes alike")
wrong("project_heads", "NaN taken for 0", "correct", summing_products, says="infinity and NaN")
wrong("project_heads", "a single head without its axis", "correct", one_head_forgotten)
wrong(
    "project_heads", "float32 whatever came", "correct", lambda x, w: by_broadcast(x.float(), w.float()), says="dtype"
)
wrong(
    "project_heads",
    "bfloat16 inside",
    "correct",
    lambda x, w: by_broadcast(x.bfloat16(), w.bfloat16()).to(x.dtype),
    says="lower precision",
)
wrong("project_heads", "weights changed", "correct", scaled_in_place, says="changed its input weights")
wrong(
    "project_heads",
    "the published features only",
    "correct",
    only_for(lambda x, w: w.shape[1:] == (16, 8), by_bmm, lambda x, w: x @ w[:1].expand_as(w)),
)
wrong("project_heads", "a cached first answer", "correct", cached_first(by_broadcast))
wrong("project_heads", "torch.allclose forged", "correct", forging_comparisons(weights_reshaped))
wrong("project_heads", "the check forged", "correct", forging_the_check(weights_reshaped))
wrong("project_heads", "the slow loop on a forged clock", "correct", forging_clocks(project_heads_slow))


# ensemble_forward


def stacked_members(models, x):
    parameters, buffers = stack_module_state(models)
    one = copy.deepcopy(models[0]).to("meta")

    def ask(parameters, buffers):
        return functional_call(one, (parameters, buffers), (x,))

    return vmap(ask)(parameters, buffers)


def stacked_by_hand(models, x):
    states = [model.state_dict() for model in models]
    stacked = {name: torch.stack([state[name] for state in states]) for name in states[0]}
    return vmap(lambda state: functional_call(models[0], state, (x,)))(stacked)


def statistics_forgotten(models, x):
    parameters, _ = stack_module_state(models)
    return vmap(lambda own: functional_call(models[0], own, (x,)))(parameters)


def parameters_forgotten(models, x):
    parameters, buffers = stack_module_state(models)
    return vmap(lambda own, statistics: models[0](x))(parameters, buffers)


def only_settling(models, x):
    """Knows the names of the layers that the random inputs have."""
    inner = torch.stack([model.inner.weight for model in models]).mT
    read = torch.stack([model.read.weight for model in models]).mT
    inner_bias = torch.stack([model.inner.bias for model in models])[:, None]
    read_bias = torch.stack([model.read.bias for model in models])[:, None]
    state = x.expand(len(models), -1, -1)
    for _ in range(models[0].steps):
        state = torch.tanh(torch.baddbmm(inner_bias, state, inner) + x)
    return torch.baddbmm(read_bias, state, read)


def settling_or_the_first(models, x):
    return only_settling(models, x) if isinstance(models[0], Settling) else torch.stack([models[0](x)] * len(models))


def in_pairs(models, x):
    return torch.cat([stacked_members(models[start : start + 2], x) for start in range(0, len(models), 2)])


def emptying_the_list(models, x):
    result = stacked_members(models, x)
    models.pop()
    return result


def first_member_stacked(models, x):
    result = stacked_members(models, x)
    with torch.no_grad():
        for parameter in models[0].parameters():
            parameter.add_(1)
    return result


def in_bfloat16(models, x):
    if not x.is_floating_point():
        return stacked_members(models, x)
    return stacked_members([copy.deepcopy(model).bfloat16() for model in models], x.bfloat16()).to(x.dtype)


def keeping_parameters():
    kept = {}

    def answer(models, x):
        if models[0] not in kept:
            kept[models[0]] = stack_module_state(models)
        parameters, buffers = kept[models[0]]
        return vmap(lambda *own: functional_call(models[0], own, (x,)))(parameters, buffers)

    return answer


def in_threads(models, x):
    with ThreadPoolExecutor(2) as pool:
        return torch.stack(list(pool.map(lambda model: model(x), models)))


right("ensemble_forward", "stack_module_state", stacked_members)
right("ensemble_forward", "state dicts stacked by hand", stacked_by_hand)

wrong("ensemble_forward", "the slow loop itself", "unlooped", ensemble_forward_slow)
wrong("ensemble_forward", "a comprehension", "unlooped", lambda models, x: torch.stack([model(x) for model in models]))
wrong("ensemble_forward", "each in a thread of its own", "unlooped", in_threads, says="starts threads")
wrong("ensemble_forward", "two members at a time", "unlooped", in_pairs)
wrong("ensemble_forward", "the first member for all", "correct", parameters_forgotten, says="first member's answer")
wrong("ensemble_forward", "the average", "correct", lambda m, x: stacked_members(m, x).mean(0), says="average")
wrong(
    "ensemble_forward",
    "batch first",
    "correct",
    lambda m, x: stacked_members(m, x).transpose(0, 1),
    says="batch stands",
)
wrong(
    "ensemble_forward", "one below the other", "correct", lambda m, x: stacked_members(m, x).flatten(0, 1), says="below"
)
wrong("ensemble_forward", "backwards", "correct", lambda m, x: stacked_members(m[::-1], x), says="reverse")
wrong("ensemble_forward", "statistics forgotten", "correct", statistics_forgotten, says="the first one's buffers")
wrong("ensemble_forward", "the published architecture only", "correct", only_settling, says="one layer")
wrong("ensemble_forward", "another architecture by its first member", "correct", settling_or_the_first)
wrong("ensemble_forward", "a single member without its axis", "correct", lambda m, x: stacked_members(m, x).squeeze(0))
wrong("ensemble_forward", "the list made shorter", "correct", emptying_the_list, says="changed its input models")
wrong("ensemble_forward", "a member changed", "correct", first_member_stacked, says="changed its input models")
wrong("ensemble_forward", "bfloat16 inside", "correct", in_bfloat16, says="lower precision")
wrong("ensemble_forward", "parameters kept for a member", "correct", keeping_parameters())
wrong("ensemble_forward", "a cached first answer", "correct", cached_first(stacked_members))
wrong("ensemble_forward", "the check forged", "correct", forging_the_check(statistics_forgotten))
wrong("ensemble_forward", "the slow loop on a forged clock", "correct", forging_clocks(ensemble_forward_slow))


# per_sample_grads


def detached(model):
    return {name: parameter.detach() for name, parameter in model.named_parameters()}


def by_vmap_of_grad(model, loss, x, y):
    def one_loss(parameters, sample, target):
        return loss(functional_call(model, parameters, (sample[None],)), target[None])

    return vmap(grad(one_loss), in_dims=(None, 0, 0))(detached(model), x, y)


def by_jacobian(model, loss, x, y):
    def losses(parameters):
        def one(sample, target):
            return loss(functional_call(model, parameters, (sample[None],)), target[None])

        return vmap(one)(x, y)

    return jacrev(losses)(detached(model))


def by_copies_of_the_parameters(model, loss, x, y):
    copies = {name: own.expand(len(x), *own.shape).clone().requires_grad_() for name, own in detached(model).items()}

    def one_loss(own, sample, target):
        return loss(functional_call(model, own, (sample[None],)), target[None])

    total = vmap(one_loss)(copies, x, y).sum()
    return dict(zip(copies, torch.autograd.grad(total, tuple(copies.values()))))


def by_backward(model, loss, x, y):
    rows = []
    for i in range(len(x)):
        model.zero_grad()
        loss(model(x[i : i + 1]), y[i : i + 1]).backward()
        rows.append({name: parameter.grad.clone() for name, parameter in model.named_parameters()})
    return {name: torch.stack([row[name] for row in rows]) for name in rows[0]}


def piling_up(model, loss, x, y):
    model.zero_grad()
    rows = []
    for i in range(len(x)):
        loss(model(x[i : i + 1]), y[i : i + 1]).backward()
        rows.append({name: parameter.grad.clone() for name, parameter in model.named_parameters()})
    return {name: torch.stack([row[name] for row in rows]) for name in rows[0]}


def of_the_whole_batch(model, loss, x, y):
    gradients = torch.autograd.grad(loss(model(x), y), tuple(model.parameters()))
    return dict(zip(detached(model), gradients))


def the_same_for_all(model, loss, x, y):
    return {name: one.expand(len(x), *one.shape).clone() for name, one in of_the_whole_batch(model, loss, x, y).items()}


def averaged_loss(model, loss, x, y):
    return {name: gradients / len(x) for name, gradients in by_vmap_of_grad(model, loss, x, y).items()}


def without_the_batch_axis(model, loss, x, y):
    def one_loss(parameters, sample, target):
        return loss(functional_call(model, parameters, (sample,)), target)

    return vmap(grad(one_loss), in_dims=(None, 0, 0))(detached(model), x, y)


def with_its_own_parameters(model, loss, x, y):
    def one_loss(parameters, sample, target):
        return loss(model(sample[None]), target[None])

    return vmap(grad(one_loss), in_dims=(None, 0, 0))(detached(model), x, y)


def with_a_loss_of_its_own(model, loss, x, y):
    return by_vmap_of_grad(model, lambda given, wanted: (given - wanted).square().mean(), x, y)


def only_two_layers(model, loss, x, y):
    """Backpropagation by hand, for the network that the random inputs have."""
    if not (isinstance(model, nn.Sequential) and len(model) == 3 and isinstance(model[0], nn.Linear)):
        return the_same_for_all(model, loss, x, y)
    with torch.no_grad():
        hidden = torch.tanh(model[0](x))
        error = 2 * (model[2](hidden) - y) / y.shape[1]
        inner = (error @ model[2].weight) * (1 - hidden**2)
        return {
            "0.weight": inner[:, :, None] * x[:, None],
            "0.bias": inner,
            "2.weight": error[:, :, None] * hidden[:, None],
            "2.bias": error,
        }


def model_trained_on_the_way(model, loss, x, y):
    result = by_vmap_of_grad(model, loss, x, y)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter -= 0.1 * result[name].mean(0)
    return result


def in_bfloat16_samples(model, loss, x, y):
    half = copy.deepcopy(model).bfloat16()
    y = y.bfloat16() if y.is_floating_point() else y
    result = by_vmap_of_grad(half, loss, x.bfloat16(), y)
    return {name: gradients.to(x.dtype) for name, gradients in result.items()}


def reshaped_to_rows(model, loss, x, y):
    return {name: gradients.flatten(1) for name, gradients in by_vmap_of_grad(model, loss, x, y).items()}


right("per_sample_grads", "vmap of grad", by_vmap_of_grad)
right("per_sample_grads", "the jacobian of the losses", by_jacobian)
right("per_sample_grads", "a copy of the parameters for each sample", by_copies_of_the_parameters)

wrong("per_sample_grads", "the slow loop itself", "unlooped", per_sample_grads_slow)
wrong("per_sample_grads", "backward in a loop", "unlooped", by_backward)
wrong("per_sample_grads", "gradients that pile up", "correct", piling_up, says="pile up")
wrong("per_sample_grads", "the whole batch", "correct", of_the_whole_batch, says="one for each sample")
wrong("per_sample_grads", "the batch's for everyone", "correct", the_same_for_all, says="gradient of the whole batch")
wrong("per_sample_grads", "an averaged loss", "correct", averaged_loss, says="divided by the number")
wrong(
    "per_sample_grads",
    "samples last",
    "correct",
    lambda *inputs: {name: each.movedim(0, -1) for name, each in by_vmap_of_grad(*inputs).items()},
    says="last axis",
)
wrong("per_sample_grads", "no batch axis for the model", "correct", without_the_batch_axis, says="needs a batch")
wrong("per_sample_grads", "its own parameters", "correct", with_its_own_parameters, says="All gradients are 0")
wrong("per_sample_grads", "a loss of its own", "correct", with_a_loss_of_its_own, says="mean squared error")
wrong("per_sample_grads", "the published network only", "correct", only_two_layers)
wrong("per_sample_grads", "flat rows", "correct", reshaped_to_rows, says="shape")
wrong(
    "per_sample_grads",
    "a list",
    "correct",
    lambda *inputs: list(by_vmap_of_grad(*inputs).values()),
    says="a dict is wanted",
)
wrong("per_sample_grads", "the model trained", "correct", model_trained_on_the_way, says="changed its input model")
wrong("per_sample_grads", "bfloat16 inside", "correct", in_bfloat16_samples, says="lower precision")
wrong("per_sample_grads", "a cached first answer", "correct", cached_first(by_vmap_of_grad))
wrong("per_sample_grads", "torch.allclose forged", "correct", forging_comparisons(averaged_loss))
wrong("per_sample_grads", "the slow loop on a forged clock", "correct", forging_clocks(per_sample_grads_slow))
