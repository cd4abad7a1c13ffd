"""The states of a simulation with an unknown update, which can overwrite the state that it gets.

A list of such states can hold one tensor many times, and a list of copies doubles the memory.
"""

from __future__ import annotations

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal

_MOST_VALUES = 4096


def running_states_slow(x, update, steps):
    """Return the states of x after 1, 2, …, steps updates."""
    states = torch.empty(0, *x.shape, dtype=x.dtype, device=x.device)
    state = x.clone()
    for _ in range(steps):
        state = update(state)
        states = torch.cat([states, state[None]])
    return states


def cool_down(state):
    """Return the next state, written over the given one, as simulations do to save memory."""
    return state.mul_(0.9).add_(0.25)


def next_reading(state):
    """Return the next state in a new tensor."""
    return state * 0.5 + 1


def next_with_scratch(state):
    """Return the next state in a new tensor, after a step in place that changes the given one."""
    return state.mul_(0.5) + 1


def transpose_in_place(state):
    """Return the next state as a view of the same memory in another order."""
    return state.add_(1).transpose(0, 1)


def _copies_then_stack(x, update, steps):
    state, states = x.clone(), []
    for _ in range(steps):
        state = update(state)
        states.append(state.clone())
    return torch.stack(states) if states else x.new_empty(0, *x.shape)


def _of_one_tensor(x, update, steps):
    state, states = x.clone(), []
    for _ in range(steps):
        state = update(state)
        states.append(state)
    return torch.stack(states) if states else x.new_empty(0, *x.shape)


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
    dtypes={"x": FLOATING},
    edge_cases=(
        _case("no steps", lambda g: normal(g, 2, 3), steps=0),
        _case("an update that returns a new tensor", lambda g: normal(g, 2, 3), next_reading),
        _case(
            "an update that changes its state and returns a new tensor", lambda g: normal(g, 2, 3), next_with_scratch
        ),
        _case("an update that returns a view", lambda g: normal(g, 3, 3), transpose_in_place),
        _case("a tensor without dimensions", lambda g: normal(g).view(())),
        _case("an empty tensor", lambda g: normal(g, 3, 0)),
        _case("three dimensions", lambda g: normal(g, 2, 1, 3)),
        _case("integers", lambda g: integers(g, -9, 10, 2, 3), lambda state: state.add_(2)),
    ),
    worst=(
        _case("4,100 updates in place", lambda g: normal(g, 70), lambda state: state.add_(1), steps=4100),
        _case("5,000 values", lambda g: normal(g, 5000), steps=2),
        _case("9 updates that return a view", lambda g: normal(g, 4, 4), transpose_in_place, steps=9),
        _case("float64 values that float32 cannot hold", lambda g: 1e12 + normal(g, 3, dtype=torch.float64), steps=6),
    ),
    count_sizes=(4, 32),
    race_size=128,
    story=prose(
        """
        A weather model computes its next state with a function `update`, and each team writes its own. Some of these functions
        return a new tensor. Others save memory: they write the next state over the given tensor and return that tensor. Write
        `running_states(x, update, steps)`, which returns all states after the start `x`, for a film of the forecast. States are large, so memory
        counts.
        """
    ),
    rules=prose(
        """
        - The result has shape `(steps, *x.shape)` and the dtype and device of `x`, a tensor of any shape. State `k`, counted from
        0, is `x` after `k + 1` updates. `steps` can be 0.
        - `update` keeps shape, dtype and device. It can change the tensor that it gets, and it can return a view of that tensor,
        such as its transpose. Your function must not change `x`.
        - Each state depends on the one before it, so a loop over the steps is fine. The limit below allows the result
        and two more states; `update` allocates nothing when memory is counted.
        """
    ),
    limits=(
        at_most(0, "syncs"),
        at_most(lambda x, update, steps: (steps + 2) * x.nbytes, "bytes", "the bytes of `steps + 2` states"),
    ),
    target=1.5,
    cost=lambda steps: Cost(reads=4 * _values(steps), writes=4 * _values(steps) * steps, launches=steps),
    ways={"list of clones + stack": _copies_then_stack},
    hints=items(
        """
        - You know the size of the result before the first step. And what does a list of states hold if every update writes to
          the same tensor?
        - Allocate the result once, with the dtype and device of `x`, and copy each state to its position right after its
          update. The first update must not get `x` itself.
        - Start with `states = x.new_empty(steps, *x.shape)` and `state = x.clone()`. In the loop over k, call
          `state = update(state)`, then `states[k] = state`.
        """
    ),
    mistakes=(
        Mistake(
            "Later updates changed a state that was not copied: copy each state to its position before the next update.",
            _of_one_tensor,
        ),
        Mistake("Off by one: state 0 is `x` after one update, not `x`.", _with_the_start),
        Mistake(
            "The result has torch's default dtype: pass `dtype=x.dtype, device=x.device` when you create it.",
            lambda x, update, steps: running_states_slow(x, update, steps).to(torch.float32),
        ),
    ),
    sources=("S0.3", "S0.7"),
)
