"""Answers to ensemble_forward."""

import copy
from concurrent.futures import ThreadPoolExecutor

import torch
from torch.func import functional_call, stack_module_state, vmap

from answers import AnswersTo

answers = AnswersTo("ensemble_forward")

_stacked_parameters = {}


@answers.right("stack_module_state")
def stacked_members(models, x):
    parameters, buffers = stack_module_state(models)
    one = copy.deepcopy(models[0]).to("meta")

    def forward(parameters, buffers):
        return functional_call(one, (parameters, buffers), (x,))

    return vmap(forward)(parameters, buffers)


@answers.right("state dicts stacked by hand")
def stacked_by_hand(models, x):
    states = [model.state_dict() for model in models]
    stacked = {name: torch.stack([state[name] for state in states]) for name in states[0]}
    return vmap(lambda state: functional_call(models[0], state, (x,)))(stacked)


answers.wrong("a list comprehension", "unlooped")(lambda models, x: torch.stack([model(x) for model in models]))


@answers.wrong("one thread per member", "unlooped", says="other threads")
def in_threads(models, x):
    with ThreadPoolExecutor(2) as pool:
        return torch.stack(list(pool.map(lambda model: model(x), models)))


@answers.wrong("each row on its own", "correct", says="mix the rows")
def row_by_row(models, x):
    def one_row(parameters, buffers, row):
        return functional_call(models[0], (parameters, buffers), (row[None],))

    of_rows = vmap(vmap(one_row, in_dims=(None, None, 0)), in_dims=(0, 0, None))(*stack_module_state(models), x)
    return of_rows.flatten(1, 2) if of_rows.dim() > 3 or of_rows.shape[2] == 1 else of_rows


@answers.wrong("two members at a time", "unlooped")
def in_pairs(models, x):
    return torch.cat([stacked_members(models[start : start + 2], x) for start in range(0, len(models), 2)])


@answers.wrong("the published architecture only", "correct", says="one layer")
def only_settling(models, x):
    """Return the right result only for models whose layers have the names in the random inputs."""
    inner = torch.stack([model.inner.weight for model in models]).mT
    read = torch.stack([model.read.weight for model in models]).mT
    inner_bias = torch.stack([model.inner.bias for model in models])[:, None]
    read_bias = torch.stack([model.read.bias for model in models])[:, None]
    state = x.expand(len(models), -1, -1)
    for _ in range(models[0].steps):
        state = torch.tanh(torch.baddbmm(inner_bias, state, inner) + x)
    return torch.baddbmm(read_bias, state, read)


@answers.wrong("the first member's result for other architectures", "correct")
def settling_or_the_first(models, x):
    return only_settling(models, x) if hasattr(models[0], "inner") else torch.stack([models[0](x)] * len(models))


answers.wrong("a single member without its axis", "correct")(lambda m, x: stacked_members(m, x).squeeze(0))


@answers.wrong("changes a member", "correct", says="changed its input models")
def first_member_stacked(models, x):
    result = stacked_members(models, x)
    with torch.no_grad():
        for parameter in models[0].parameters():
            parameter.add_(1)
    return result


@answers.wrong(line="correct")
def parameters_cached_by_member(models, x):
    if models[0] not in _stacked_parameters:
        _stacked_parameters[models[0]] = stack_module_state(models)
    parameters, buffers = _stacked_parameters[models[0]]
    return vmap(lambda *own: functional_call(models[0], own, (x,)))(parameters, buffers)


@answers.wrong("trainable parameters only", "correct", says="frozen scale")
def of_trainable_parameters(models, x):
    names = [name for name, own in models[0].named_parameters() if own.requires_grad]
    names += [name for name, _ in models[0].named_buffers()]
    stacked = {name: torch.stack([model.state_dict()[name] for model in models]) for name in names}
    return vmap(lambda state: functional_call(models[0], state, (x,)))(stacked)


answers.wrong("the first 4,096 rows only", "correct", says="4,099 rows")(
    lambda models, x: stacked_members(models, x[:4096])
)

answers.wrong("an axis for each member, sample and output", "correct", says="three axes")(
    lambda models, x: stacked_members(models, x).reshape(len(models), len(x), -1 if len(x) else 2)
)
