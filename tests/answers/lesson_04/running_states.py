"""Answers to running_states."""

import copy

import torch

from answers import AnswersTo

answers = AnswersTo("running_states")


def _fill(states, start, update):
    """Return the states, each copied to its position in ``states``."""
    state = start
    for k in range(len(states)):
        state = update(state)
        states[k] = state
    return states


answers.right("preallocated")(lambda x, update, steps: _fill(x.new_empty(steps, *x.shape), x.clone(), update))


answers.right("a deep copy of x")(
    lambda x, update, steps: _fill(x.new_empty(steps, *x.shape), copy.deepcopy(x), update)
)


@answers.right("each state updated in the buffer")
def in_its_place(x, update, steps):
    states = torch.empty(steps, *x.shape, dtype=x.dtype, device=x.device)
    last = x
    for place in states:
        place.copy_(last)
        place.copy_(update(place).clone() if place.dim() == 2 else update(place))
        last = place
    return states


@answers.wrong("x itself updated and restored", "correct", says="leaves it with its old values")
def through_x(x, update, steps):
    before, states = x.clone(), _fill(x.new_empty(steps, *x.shape), x, update)
    x.copy_(before)
    return states


answers.wrong("the dtype without the device", "correct", says="on a GPU")(
    lambda x, update, steps: _fill(torch.zeros(steps, *x.shape, dtype=x.dtype), x.clone(), update)
)


@answers.wrong("copies in a list", "unlooped", says="intermediate tensors")
def copies_in_a_list(x, update, steps):
    state, states = x.clone(), []
    for _ in range(steps):
        state = update(state)
        states.append(state.clone())
    return torch.stack(states) if states else x.new_empty(0, *x.shape)


@answers.wrong("a copy before each update", "unlooped", says="intermediate tensors")
def copied_before(x, update, steps):
    return _fill(x.new_empty(steps, *x.shape), x, lambda state: update(state.clone()))


@answers.wrong("at most 1,000 states", "correct", says="4,100 updates")
def of_1000_states(x, update, steps):
    states = x.new_zeros(steps, *x.shape)
    _fill(states[:1000], x.clone(), update)
    return states


@answers.wrong("new states kept in a list", "correct", says="changes its state")
def new_states_in_a_list(x, update, steps):
    if steps == 0:
        return x.new_empty(0, *x.shape)
    start = x.clone()
    first = update(start)
    if first is start or first._base is not None:
        return _fill(x.new_empty(steps, *x.shape), x.clone(), update)
    states = [first]
    for _ in range(steps - 1):
        states.append(update(states[-1]))
    return torch.stack(states)


@answers.right("each state viewed as a vector and back")
def viewed_as_vectors(x, update, steps):
    states, state = x.new_empty(steps, x.numel()), x.clone().view(-1)
    for k in range(steps):
        state = update(state.view(x.shape)).reshape(-1)
        states[k] = state
    return states.view(steps, *x.shape)
