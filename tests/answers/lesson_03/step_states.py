"""Answers to step_states."""

import torch

from answers import AnswersTo

answers = AnswersTo("step_states")


def _step_numbers(x, steps, start=1, **options):
    options = {"dtype": x.dtype, "device": x.device} | options
    return torch.arange(start, start + steps, **options).view(-1, *[1] * x.dim())


@answers.right("arange and broadcasting")
def by_broadcast(x, steps):
    return x + _step_numbers(x, steps)


@answers.right("a running sum of ones")
def by_cumsum(x, steps):
    return x + torch.ones(steps, *x.shape, dtype=x.dtype, device=x.device).cumsum(0, dtype=x.dtype)


@answers.right("an outer sum, then a view")
def by_outer_sum(x, steps):
    k = torch.arange(1, steps + 1, dtype=x.dtype, device=x.device)
    return (k[:, None] + x.reshape(1, -1)).view(steps, *x.shape)


@answers.right("copied, then add_")
def by_filling(x, steps):
    states = torch.empty(steps, *x.shape, dtype=x.dtype, device=x.device)
    states.copy_(x)
    return states.add_(_step_numbers(x, steps))


@answers.right("the steps on the last axis, then movedim")
def by_movedim(x, steps):
    return (x[..., None] + _step_numbers(x, steps).view(-1)).movedim(-1, 0)


answers.right("arange from 0, plus 1")(lambda x, steps: x + _step_numbers(x, steps, start=0) + 1)


@answers.right("a Python range")
def by_python_range(x, steps):
    return x + x.new_tensor(range(1, steps + 1)).view(-1, *[1] * x.dim())


@answers.wrong("list + stack", "unlooped")
def stacked(x, steps):
    return torch.stack([x + k + 1 for k in range(steps)]) if steps else x.new_empty(0, *x.shape)


@answers.wrong("a loop over the values of x", "unlooped", says="the number grows")
def value_by_value(x, steps):
    k = torch.arange(1, steps + 1, dtype=x.dtype, device=x.device)
    states = [value + k for value in x.flatten()]
    return torch.stack(states, 1).view(steps, *x.shape) if states else k.new_empty(steps, *x.shape)


@answers.wrong("a loop over the columns of x", "unlooped", says="grows with the input")
def column_by_column_of_x(x, steps):
    if x.dim() < 2 or not x.numel():
        return by_broadcast(x, steps)
    return torch.stack([part + _step_numbers(part, steps) for part in x.unbind(-1)], -1)


answers.wrong("added along an axis of x", "correct")(lambda x, steps: x + _step_numbers(x, steps).view(-1))
answers.wrong("wrong for no steps", "correct")(lambda x, steps: by_broadcast(x, steps) if steps else x)
answers.wrong("wrong for a 0-d tensor", "correct")(
    lambda x, steps: (x + _step_numbers(x, steps)).view(steps, len(x), -1)
)
answers.wrong("one state too many", "correct", says="shape")(lambda x, steps: by_broadcast(x, steps + 1))
answers.wrong("a list of states", "correct", says="list")(lambda x, steps: list(by_broadcast(x, steps)))
answers.wrong("multiplies instead of adding", "correct")(lambda x, steps: x * _step_numbers(x, steps))


@answers.wrong("arange without a device", "correct", says="device")
def without_a_device(x, steps):
    return x + torch.arange(1, steps + 1, dtype=x.dtype).view(-1, *[1] * x.dim())


@answers.wrong("x changed in place, without a copy for one step", "correct")
def counting_on(x, steps):
    return by_broadcast(x.add_(0 if steps else 1), steps) if steps != 1 else x.add_(1).unsqueeze(0)


answers.wrong("matrices only", "correct")(lambda x, steps: x + _step_numbers(x[None], steps)[0].view(-1, 1, 1))


@answers.wrong("a loop over blocks of 64 steps", "unlooped")
def in_blocks_of_steps(x, steps):
    parts = [by_broadcast(x + start, min(64, steps - start)) for start in range(0, steps, 64)]
    return torch.cat(parts) if parts else by_broadcast(x, steps)


@answers.wrong("steps counted in int16", "correct", says="33,000 steps")
def counted_in_int16(x, steps):
    k = torch.arange(1, steps + 1, device=x.device).short()
    return x + k.view(-1, *[1] * x.dim()).to(x.dtype)


@answers.wrong("a loop over the rows of x", "unlooped", says="grows with the input")
def row_by_row(x, steps):
    if x.dim() == 0:
        return by_broadcast(x, steps)
    k = _step_numbers(x, steps)
    return torch.stack([row + k[:, 0] for row in x], 1) if len(x) else by_broadcast(x, steps)


@answers.wrong("steps converted to the dtype of x, but on the host", "correct", says="device")
def steps_in_own_dtype(x, steps):
    k = torch.arange(1, steps + 1).to(x.dtype)
    return x + k.view(-1, *[1] * x.dim())


@answers.wrong("a flat view", "correct")
def on_a_flat_view(x, steps):
    return by_broadcast(x.view(-1), steps).view(steps, *x.shape)
