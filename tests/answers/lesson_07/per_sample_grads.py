"""Answers to per_sample_grads."""

import torch
from torch import nn
from torch.func import functional_call, grad, jacrev, vmap

from answers import AnswersTo

answers = AnswersTo("per_sample_grads")
answers.exception("nothing returned", "correct", says="expected a dict")


def _detached_parameters(model):
    return {name: parameter.detach() for name, parameter in model.named_parameters()}


def _vmap_of_grad(parameters, model, loss, x, y):
    def one_loss(parameters, sample, target):
        return loss(functional_call(model, parameters, (sample[None],)), target[None])

    return vmap(grad(one_loss), in_dims=(None, 0, 0))(parameters, x, y)


@answers.right("vmap of grad")
def by_vmap_of_grad(model, loss, x, y):
    return _vmap_of_grad(_detached_parameters(model), model, loss, x, y)


@answers.right("vmap of grad, without detach")
def by_the_parameters(model, loss, x, y):
    return _vmap_of_grad(dict(model.named_parameters()), model, loss, x, y)


@answers.right("the Jacobian of the losses")
def by_jacobian(model, loss, x, y):
    def losses(parameters):
        def one(sample, target):
            return loss(functional_call(model, parameters, (sample[None],)), target[None])

        return vmap(one)(x, y)

    return jacrev(losses)(_detached_parameters(model))


@answers.right("a copy of the parameters for each sample")
def by_copies_of_the_parameters(model, loss, x, y):
    copies = {
        name: own.expand(len(x), *own.shape).clone().requires_grad_()
        for name, own in _detached_parameters(model).items()
    }

    def one_loss(own, sample, target):
        return loss(functional_call(model, own, (sample[None],)), target[None])

    total = vmap(one_loss)(copies, x, y).sum()
    return dict(zip(copies, torch.autograd.grad(total, tuple(copies.values()))))


@answers.wrong("a loop over backward", "correct", says="torch.autograd.grad returns gradients")
def by_backward(model, loss, x, y, accumulates=False):
    rows = []
    for i in range(len(x)):
        if i == 0 or not accumulates:
            model.zero_grad()
        loss(model(x[i : i + 1]), y[i : i + 1]).backward()
        rows.append({name: parameter.grad.clone() for name, parameter in model.named_parameters()})
    return {name: torch.stack([row[name] for row in rows]) for name in rows[0]}


@answers.wrong("gradients that accumulate", "correct", says="accumulate")
def accumulating(model, loss, x, y):
    return by_backward(model, loss, x, y, accumulates=True)


@answers.wrong("no batch axis for the model", "correct", says="needs the batch axis")
def without_the_batch_axis(model, loss, x, y):
    def one_loss(parameters, sample, target):
        return loss(functional_call(model, parameters, (sample,)), target)

    return vmap(grad(one_loss), in_dims=(None, 0, 0))(_detached_parameters(model), x, y)


@answers.wrong("no batch axis for the loss", "correct", says="without the batch axis")
def loss_without_the_batch_axis(model, loss, x, y):
    def one_loss(parameters, sample, target):
        return loss(functional_call(model, parameters, (sample[None],))[0], target)

    return vmap(grad(one_loss), in_dims=(None, 0, 0))(_detached_parameters(model), x, y)


@answers.wrong("the published network only", "correct")
def only_two_layers(model, loss, x, y):
    """Return gradients that are derived by hand for the network of the random inputs."""
    if not (isinstance(model, nn.Sequential) and len(model) == 3 and isinstance(model[0], nn.Linear)):
        return {name: 0 * each for name, each in by_vmap_of_grad(model, loss, x, y).items()}
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


@answers.wrong("flattened gradients", "correct", says="shape")
def reshaped_to_rows(model, loss, x, y):
    return {name: gradients.flatten(1) for name, gradients in by_vmap_of_grad(model, loss, x, y).items()}


answers.wrong("a list", "correct", says="expected a dict")(lambda *inputs: list(by_vmap_of_grad(*inputs).values()))


@answers.wrong("one forward pass for the whole batch", "correct", says="mixes the samples")
def by_one_forward_pass(model, loss, x, y):
    def losses(parameters):
        return vmap(lambda own, target: loss(own[None], target[None]))(functional_call(model, parameters, (x,)), y)

    return jacrev(losses)(_detached_parameters(model))


@answers.wrong("weights and biases only", "correct", says="a model with a scale")
def of_weights_and_biases(model, loss, x, y):
    rows = by_vmap_of_grad(model, loss, x, y)
    return {name: gradients for name, gradients in rows.items() if name.endswith(("weight", "bias"))}


@answers.wrong("samples converted to the parameters' dtype", "correct", says="an embedding")
def of_converted_samples(model, loss, x, y):
    return by_vmap_of_grad(model, loss, x.to(next(model.parameters()).dtype), y)


answers.wrong("the first 4,096 samples only", "correct", says="4,099 samples")(
    lambda model, loss, x, y: by_vmap_of_grad(model, loss, x[:4096], y[:4096])
)
