"""All states at once: no state depends on the one before it, so one broadcast sum computes all of them.

The result is large, so the size is the number of steps and the tensor stays small.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import NUMBERS
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import (
    cases_at_the_ends,
    fixed_case,
    infinity_and_nan,
    random_case,
    transposed_case,
)
from course_utils.tasks.torch_inputs import normal

_LONGEST_SIDE = 13
"""The tensor's longest side: more than the limit on operations, and short because there are many steps."""


def step_states_slow(x, steps):
    """Return the states of a simulation that adds 1 to each value of x in each step."""
    states = torch.empty(steps, *x.shape, dtype=x.dtype, device=x.device)
    for k in range(steps):
        states[k] = x + k + 1
    return states


def _state_inputs(steps, generator):
    side = min(steps, _LONGEST_SIDE)
    return normal(generator, side, side + 1), steps


def _values(steps):
    side = min(steps, _LONGEST_SIDE)
    return side * (side + 1)


def _broadcast(x, steps):
    k = torch.arange(1, steps + 1, dtype=x.dtype, device=x.device)
    return x + k.view(-1, *[1] * x.dim())


TASK = Task(
    id="step_states",
    title="All states at once",
    points=2,
    level=1,
    slow=step_states_slow,
    inputs=_state_inputs,
    dtypes={"x": NUMBERS},
    edge_cases=(
        random_case("no steps", (2, 3), rest=(0,)),
        random_case("one step", (2, 3), rest=(1,)),
        random_case("an empty tensor", (3, 0), rest=(4,)),
        random_case("a tensor without dimensions", (), rest=(4,)),
        random_case("one row of values", (5,), rest=(3,)),
        random_case("as many steps as values", (4,), rest=(4,)),
        random_case("three dimensions", (3, 3, 3), rest=(3,)),
        random_case("five dimensions", (2, 1, 3, 1, 2), rest=(3,)),
        random_case("no steps of a tensor without dimensions", (), rest=(0,)),
        random_case("no steps of an empty tensor", (2, 0), rest=(0,)),
        random_case("5,000 values", (5000,), rest=(2,)),
        transposed_case(3, 4, rest=(3,)),
        fixed_case("an integer without dimensions", -3, rest=(4,)),
        infinity_and_nan([inf, -inf, nan, 3e38], rest=(3,)),
    ),
    worst=(
        Case("float64 values near 1e12", lambda g: (1e12 + normal(g, 2, 3, dtype=torch.float64), 3)),
        Case("int64 states that float64 rounds", lambda _: (torch.tensor([2**53, -(2**53) - 2]), 5)),
        Case("33,000 steps, more than int16 can count", lambda _: (torch.arange(65), 33_000)),
        Case(
            "bfloat16 states, and more steps than it can count",
            lambda _: (torch.tensor([-256.0, -300.0]).bfloat16(), 300),
        ),
        *cases_at_the_ends(
            "states beyond the largest, and near the smallest", lambda ends: ([ends.max - 2, ends.min],), rest=(5,)
        ),
    ),
    count_sizes=(8, 800),
    race_size=800,
    story=prose(
        """
        A simulation adds 1 to each value of `x` in each step, and you want to see all states. Write
        `step_states(x, steps)`, which returns them: state `k`, counted from 0, is `x + k + 1`.
        """
    ),
    rules=prose(
        """
        - `x` is a tensor of any shape, of floats or integers, and doesn't change. The result has shape `(steps, *x.shape)`
        and the dtype and device of `x`. `steps` can be 0. Integers wrap around, as in the loop.
        """
    ),
    limits=(at_most(12, "ops"), at_most(0, "syncs")),
    target=10.0,
    cost=lambda steps: Cost(reads=4 * _values(steps), writes=4 * _values(steps) * steps),
    ways={"broadcast": _broadcast},
    hints=items(
        """
        - No state depends on another state: each one is `x` plus a known number. Which operation returns all the numbers
          1, 2, …, steps?
        - `torch.arange` returns the numbers. Broadcasting does the rest if their shape begins with the steps and has length 1
          along every other axis.
        - Create `k = torch.arange(1, steps + 1, dtype=x.dtype, device=x.device)`, view it with shape (steps, 1, …, 1), with
          `x.dim()` ones, and add `x`.
        """
    ),
    mistakes=(
        Mistake(
            "Off by one: state 0 is `x + 1`, not `x`.",
            lambda x, steps: step_states_slow(x, steps) - 1,
        ),
        Mistake("Off by one: state 0 is `x + 1`, not `x + 2`.", lambda x, steps: step_states_slow(x, steps) + 1),
        Mistake(
            "All states are the same: add the number of the step.",
            lambda x, steps: (x + 1).expand(steps, *x.shape).clone(),
        ),
        Mistake(
            "The states are in reverse order: state 0 is `x + 1`.", lambda x, steps: step_states_slow(x, steps).flip(0)
        ),
        Mistake(
            "The steps are along the last axis: put them first.",
            lambda x, steps: step_states_slow(x, steps).movedim(0, -1),
        ),
        Mistake(
            "The result has torch's default dtype: pass `dtype=x.dtype, device=x.device` when you create a tensor.",
            lambda x, steps: step_states_slow(x, steps).to(torch.float32),
        ),
        Mistake(
            "The numbers of the steps are int64, so the result is, too: compute them in the dtype of `x`.",
            lambda x, steps: step_states_slow(x, steps).to(torch.promote_types(x.dtype, torch.int64)),
        ),
    ),
    sources=("S0.8",),
)
