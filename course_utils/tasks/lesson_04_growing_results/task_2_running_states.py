"""The states of a simulation whose update is not known: it may write its result over the state that it was given.

A list of such states holds one tensor many times, and who copies each state into the list has all of them twice.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal
from course_utils.tasks.unwrap import items, prose

_MOST_VALUES = 4096


def running_states_slow(x, update, steps):
    """The states that x goes through: after 1 update, after 2, …, after as many as there are steps."""
    states = torch.empty(0, *x.shape, dtype=x.dtype, device=x.device)
    state = x.clone()
    for _ in range(steps):
        state = update(state)
        states = torch.cat([states, state[None]])
    return states


def cool_down(state):
    """Writes the next state over the one that it is given, as simulations do that are short of memory."""
    return state.mul_(0.9).add_(0.25)


def next_reading(state):
    """Makes a new tensor."""
    return state * 0.5 + 1


def turn_round(state):
    """Returns a view: the same memory, seen in another order."""
    return state.add_(1).transpose(0, 1)


def _copies_then_stack(x, update, steps):
    state, states = x.clone(), []
    for _ in range(steps):
        state = update(state)
        states.append(state.clone())
    return torch.stack(states) if states else x.new_empty(0, *x.shape)


def _of_one_tensor(x, update, steps):
    last = running_states_slow(x, update, steps)[-1:]
    return last.expand(steps, *x.shape).clone()


def _with_the_start(x, update, steps):
    return torch.cat([x[None], running_states_slow(x, update, steps)[:-1]]) if steps else x.new_empty(0, *x.shape)


def _values(steps):
    return min(_MOST_VALUES, 4 * steps**2)


def _case(name, make, update=cool_down, steps=4):
    return Case(name, lambda generator: (make(generator), update, steps))


TASK = Task(
    id="running_states",
    title="Every state of a simulation",
    points=3,
    level=2,
    slow=running_states_slow,
    inputs=lambda size, generator: (normal(generator, _values(size)), cool_down, size),
    sizes=(1, 2, 5),
    edge_cases=(
        _case("no steps", lambda g: normal(g, 2, 3), steps=0),
        _case("an update that makes a new tensor", lambda g: normal(g, 2, 3), next_reading),
        _case("an update that returns a view", lambda g: normal(g, 3, 3), turn_round),
        _case("a single number without a dimension", lambda g: normal(g).view(())),
        _case("an empty x", lambda g: normal(g, 3, 0)),
        _case("three dimensions", lambda g: normal(g, 2, 1, 3)),
        _case("float64 values", lambda g: normal(g, 2, 3, dtype=torch.float64)),
        _case("whole numbers", lambda g: integers(g, -9, 10, 2, 3), lambda state: state.add_(2)),
        _case("every second value of a wider x", lambda g: noncontiguous(normal(g, 2, 3))),
    ),
    count_sizes=(4, 32),
    race_size=128,
    story=prose(
        """
        A weather model computes its next state from the last one by a function `update`, which somebody else wrote. Some of
        these functions return a new tensor. Others save memory: they write the next state over the one that they are given,
        and return that. Write `running_states(x, update, steps)`: all states that `x` goes through, for a film of the
        forecast. The results are large, so memory is what counts.
        """
    ),
    rules=prose(
        """
        - The result has the shape (steps, *x.shape), and the dtype and the device of `x`, a tensor of any shape. Its state `k`,
        counted from 0, is `x` after `k + 1` updates. `steps` may be 0.
        - `update` keeps shape, dtype and device. It may change the tensor that it is given; your function must not change `x`.
        - The loop over the steps may stay: no state comes before the last one. But beside the result, and what `update` itself
        makes, there is memory for no more than two states.
        """
    ),
    limits=(
        at_most(0, "syncs"),
        at_most(lambda x, update, steps: (steps + 2) * x.nbytes, "bytes", "the bytes of `steps + 2` states"),
    ),
    target=3.0,
    cost=lambda steps: Cost(reads=4 * _values(steps), writes=4 * _values(steps) * steps, launches=steps),
    ways={"copies, then stack": _copies_then_stack},
    hints=items(
        """
        - How large the result will be is known before the first step. And what does a list hold, if every update writes into
          the same tensor?
        - Make the result once, with the dtype and the device of x, and let each state be copied to its place as soon as it is
          there. The first update must not get x itself.
        - states = x.new_empty(steps, *x.shape), state = x.clone(), and in the loop over k: state = update(state), then
          states[k] = state.
        """
    ),
    mistakes=(
        Mistake(
            "Every state is the last one: update writes all of them into one tensor, and a list holds that tensor many times. "
            "Copy each state away before the next update.",
            _of_one_tensor,
        ),
        Mistake("Off by one: state 0 is x after one update, not x itself.", _with_the_start),
        Mistake(
            "The result has torch's default dtype: pass dtype=x.dtype and device=x.device where you make it.",
            lambda x, update, steps: running_states_slow(x, update, steps).to(torch.float32),
        ),
    ),
    sources=("S0.3", "S0.7"),
)
