"""The exercises of lesson 03: element loops that become a choice, a broadcast and a row of states.

Sizes keep the slow loops under a third of a second; what is fast enough stands far below what the answers reach. Every axis
of an input grows with its size, so that a loop over any of them is seen in the counts.
"""

from __future__ import annotations

import torch

from course_utils.tasks.prose import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import every_second, normal, whole

INF = float("inf")
NAN = float("nan")
_LONGEST_SIDE = 10
"""Of the tensor whose states are wanted: long enough for a loop over it to be seen, and short, as the steps are many."""


def clip_and_scale_slow(x, low, high):
    """How far each value of x lies on the way from low to high: 0 below, 1 above."""
    result = torch.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < low:
                result[i, j] = 0
            elif x[i, j] > high:
                result[i, j] = 1
            else:
                result[i, j] = (x[i, j] - low) / (high - low)
    return result


def tiled_add_slow(a, b):
    """Add b to each row of the matrix a, again and again until the row is full."""
    rows, columns = a.shape
    m = len(b)
    if m == 0 or columns % m != 0:
        raise ValueError(f"{m} values of b do not fit evenly into {columns} columns")
    result = torch.empty_like(a)
    for i in range(rows):
        for j in range(columns):
            result[i, j] = a[i, j] + b[j % m]
    return result


def step_states_slow(x, steps):
    """The states of a simulation that adds 1 to every value of x at each step."""
    states = torch.empty(steps, *x.shape, dtype=x.dtype, device=x.device)
    for k in range(steps):
        states[k] = x + k + 1
    return states


def _clip_inputs(size, generator):
    return normal(generator, size, size + 1), -0.5, 0.75


def _tile_inputs(size, generator):
    return normal(generator, size, (size + 1) * size), normal(generator, size)


def _state_inputs(steps, generator):
    side = min(steps, _LONGEST_SIDE)
    return normal(generator, side, side + 1), steps


CLIP_AND_SCALE = Task(
    id="clip_and_scale",
    title="A conditional without an if",
    points=2,
    lesson="03_element_loops",
    slow=clip_and_scale_slow,
    inputs=_clip_inputs,
    edge_cases=(
        Case("a matrix without rows", lambda generator: (normal(generator, 0, 4), -0.5, 0.75)),
        Case("a matrix without columns", lambda generator: (normal(generator, 4, 0), -0.5, 0.75)),
        Case("one row", lambda generator: (normal(generator, 1, 6), -0.5, 0.75)),
        Case("a matrix turned on its side", lambda generator: (normal(generator, 3, 5).T, -0.5, 0.75)),
        Case(
            "every second column of a wider matrix", lambda generator: (every_second(normal(generator, 3, 4)), 0.0, 1.0)
        ),
        Case("float64 values", lambda generator: (normal(generator, 3, 4, dtype=torch.float64), -0.5, 0.75)),
        Case(
            "float64 values and limits that float32 rounds",
            lambda generator: (normal(generator, 9, 12, dtype=torch.float64), -0.3, 0.7),
        ),
        Case("values exactly at low and at high", lambda _: (torch.tensor([[2.0, 3.0, 6.0]]), 2.0, 6.0)),
        Case(
            "values that all lie between 0 and 1 already", lambda _: (torch.tensor([[0.0, 0.25], [0.5, 1.0]]), 0.0, 1.0)
        ),
        Case("limits far from zero", lambda generator: (20 * normal(generator, 3, 4) + 120, 100.0, 140.0)),
        Case("whole-number limits", lambda generator: (4 * normal(generator, 3, 4), -2, 3)),
        Case("huge and tiny values", lambda _: (torch.tensor([[3e38, -3e38, 1e-40, -1e-40, 0.0]]), -1.0, 1.0)),
        Case("infinity and NaN", lambda _: (torch.tensor([[INF, -INF, NAN, 0.5]]), 0.0, 1.0)),
    ),
    count_sizes=(4, 64),
    race_size=40,
    story=prose(
        """
        A camera gives brightness as raw numbers. Everything darker than `low` is to be 0, everything brighter than
        `high` is to be 1, and what lies between is to rise evenly from 0 to 1. Write `clip_and_scale(x, low, high)`.
        """
    ),
    counts=prose(
        """
        - `x` is a floating-point matrix, `low` and `high` are numbers with `low < high`. The result has the shape and
        the dtype of `x`; `x` itself stays as it was.
        - NaN is neither below nor above: it stays NaN, as in the loop.
        - A few tensor operations, however large `x` is, and no `if` on a tensor's value.
        """
    ),
    max_ops=20,
    target=50.0,
    hints=items(
        """
        - Leave the conditions aside for a moment: what is the formula of the last branch for the whole matrix at
          once?
        - A comparison such as `x < low` gives a whole matrix of True and False, and `torch.where` chooses by it; or
          look for an operation that holds values between two limits.
        - Scale the whole matrix by (x - low) / (high - low), then let `clamp(0, 1)` hold it between 0 and 1.
        """
    ),
    mistakes=(
        Mistake(
            "The values between low and high are not scaled: 0 stands at low and 1 at high.",
            lambda x, low, high: x.clamp(low, high),
        ),
        Mistake(
            "The values are clipped to 0 and 1 before they are scaled: clip to low and high, or scale first.",
            lambda x, low, high: (x.clamp(0, 1) - low) / (high - low),
        ),
        Mistake(
            "Nothing holds the values above high at 1.", lambda x, low, high: ((x - low) / (high - low)).clamp(min=0)
        ),
        Mistake(
            "Nothing holds the values below low at 0.", lambda x, low, high: ((x - low) / (high - low)).clamp(max=1)
        ),
        Mistake(
            "Nothing is clipped: values outside low and high go on.", lambda x, low, high: (x - low) / (high - low)
        ),
        Mistake(
            "The values are divided by high instead of by high - low.",
            lambda x, low, high: ((x - low) / high).clamp(0, 1),
        ),
        Mistake(
            "NaN became 0: no comparison with NaN is True, so in the loop it takes the last branch and stays NaN.",
            lambda x, low, high: torch.where(
                (x >= low) & (x <= high), (x - low) / (high - low), (x > high).to(x.dtype)
            ),
        ),
        Mistake(
            "NaN became 1: no comparison with NaN is True, so in the loop it takes the last branch and stays NaN.",
            lambda x, low, high: torch.where(x < low, 0, torch.where(x <= high, (x - low) / (high - low), 1)).to(
                x.dtype
            ),
        ),
    ),
    sources=("S0.2", "S0.6"),
)

TILED_ADD = Task(
    id="tiled_add",
    title="A row that repeats",
    points=3,
    lesson="03_element_loops",
    slow=tiled_add_slow,
    inputs=_tile_inputs,
    sizes=(1, 2, 3, 5, 9),
    edge_cases=(
        Case("a matrix without rows", lambda generator: (normal(generator, 0, 6), normal(generator, 3))),
        Case("a matrix without columns", lambda generator: (normal(generator, 4, 0), normal(generator, 3))),
        Case("b as long as a row", lambda generator: (normal(generator, 3, 4), normal(generator, 4))),
        Case("b of a single value", lambda generator: (normal(generator, 3, 4), normal(generator, 1))),
        Case("as many rows as b has values", lambda generator: (normal(generator, 3, 6), normal(generator, 3))),
        Case("a matrix turned on its side", lambda generator: (normal(generator, 6, 4).T, normal(generator, 3))),
        Case(
            "every second value of longer tensors",
            lambda generator: (every_second(normal(generator, 2, 6)), every_second(normal(generator, 3))),
        ),
        Case(
            "float64 values",
            lambda generator: (normal(generator, 2, 6, dtype=torch.float64), normal(generator, 3, dtype=torch.float64)),
        ),
        Case("whole numbers", lambda generator: (whole(generator, -9, 10, 2, 6), whole(generator, -9, 10, 3))),
        Case("zeros to add", lambda generator: (normal(generator, 2, 6), torch.zeros(3))),
        Case(
            "huge values, infinity and NaN",
            lambda _: (torch.tensor([[3e38, INF, NAN, -3e38, -INF, 1.0]]), torch.tensor([3e38, -INF, 1.0])),
        ),
    ),
    raises=(
        (Case("b that does not fit (6 columns, 4 values)", lambda g: (normal(g, 2, 6), normal(g, 4))), ValueError),
        (Case("b longer than a row (3 columns, 6 values)", lambda g: (normal(g, 2, 3), normal(g, 6))), ValueError),
        (Case("b that leaves a rest (7 columns, 3 values)", lambda g: (normal(g, 2, 7), normal(g, 3))), ValueError),
        (Case("an empty b", lambda g: (normal(g, 2, 6), normal(g, 0))), ValueError),
    ),
    count_sizes=(4, 16),
    race_size=15,
    story=prose(
        """
        Every machine in a plant reports its readings in turn, round after round, and a row of `a` is one day of them.
        Each machine has a correction of its own, and `b` holds one for each. Write `tiled_add(a, b)`, which adds the
        corrections all along every row: first, second, …, last, and from the first again.
        """
    ),
    counts=prose(
        """
        - `a` has the shape (r, k·m), `b` the shape (m,) and the dtype of `a`. The result has the shape and the dtype
        of `a`; `a` and `b` stay as they were.
        - Where `b` does not fit a whole number of times into a row, or is empty, `ValueError` with a message that
        says so.
        - A few tensor operations, however large `a` is.
        """
    ),
    max_ops=12,
    target=50.0,
    hints=items(
        """
        - Broadcasting compares shapes from the right: (r, k·m) with (m,) does not fit. Which shape of a would?
        - See each row as k pieces of m values: shape (r, k, m), and then b fits. `unflatten` or `reshape` gives that
          view.
        - First raise ValueError where columns % m is not 0 (or m is 0); then a.unflatten(1, (-1, m)) + b, and flatten
          the last two axes again. (`reshape(rows, -1, m)` cannot tell what -1 is when there are no rows.)
        """
    ),
    mistakes=(
        Mistake(
            "Each value of b is repeated before the next one comes (b0 b0 b1 b1); wanted is b0 b1 … b0 b1 …",
            lambda a, b: a + b.repeat_interleave(a.shape[1] // len(b)),
        ),
        Mistake(
            "b is added to the first values of each row only.",
            lambda a, b: torch.cat([a[:, : len(b)] + b, a[:, len(b) :]], dim=1),
        ),
        Mistake("This is b, repeated, but a is missing.", lambda a, b: b.repeat(a.shape[1] // len(b)).expand_as(a)),
        Mistake(
            "The result stands in pieces of shape (r, k, m): it must have the shape of a again.",
            lambda a, b: a.unflatten(1, (-1, len(b))) + b,
        ),
    ),
    sources=("S1.3", "S1.9"),
)

STEP_STATES = Task(
    id="step_states",
    title="All states at once",
    points=3,
    lesson="03_element_loops",
    slow=step_states_slow,
    inputs=_state_inputs,
    edge_cases=(
        Case("no steps", lambda generator: (normal(generator, 2, 3), 0)),
        Case("one step", lambda generator: (normal(generator, 2, 3), 1)),
        Case("an empty x", lambda generator: (normal(generator, 3, 0), 4)),
        Case("a single number without a dimension", lambda generator: (normal(generator), 4)),
        Case("one row of values", lambda generator: (normal(generator, 5), 3)),
        Case("as many steps as values", lambda generator: (normal(generator, 4), 4)),
        Case("three dimensions", lambda generator: (normal(generator, 2, 1, 3), 3)),
        Case("a matrix turned on its side", lambda generator: (normal(generator, 2, 3).T, 3)),
        Case("every second column of a wider matrix", lambda generator: (every_second(normal(generator, 2, 3)), 3)),
        Case("float64 values", lambda generator: (normal(generator, 2, 3, dtype=torch.float64), 3)),
        Case("int64 values", lambda generator: (whole(generator, -9, 10, 2, 3), 3)),
        Case("int32 values", lambda generator: (whole(generator, -9, 10, 2, 3, dtype=torch.int32), 3)),
        Case("float64 values near a million million", lambda g: (1e12 + normal(g, 2, 3, dtype=torch.float64), 3)),
        Case("infinity and NaN", lambda _: (torch.tensor([INF, -INF, NAN, 3e38]), 3)),
    ),
    count_sizes=(8, 800),
    race_size=800,
    story=prose(
        """
        A simulation adds 1 to every value at each step, and somebody wants to see all states afterwards. Write
        `step_states(x, steps)`: state `k`, counted from 0, is `x + k + 1`.
        """
    ),
    counts=prose(
        """
        - The result has the shape (steps, *x.shape), and the dtype and the device of `x`, a tensor of any shape. `x`
        itself stays as it was, and `steps` may be 0.
        - A few tensor operations, however many steps there are.
        """
    ),
    max_ops=12,
    target=10.0,
    hints=items(
        """
        - No state needs the one before it: each is x and a number that you know. Where could all the numbers 1, 2, …,
          steps come from in one operation?
        - `torch.arange` makes the numbers. Let broadcasting do the rest: give them a shape in which the steps come
          first and every other axis has length 1.
        - `torch.arange(1, steps + 1, dtype=x.dtype, device=x.device)`, viewed with shape (steps, 1, …, 1) with
          x.dim() ones, plus x.
        """
    ),
    mistakes=(
        Mistake(
            "Off by one: state 0 is x + 1, not x.",
            lambda x, steps: step_states_slow(x, steps) - 1,
        ),
        Mistake("Off by one: state 0 is x + 1, not x + 2.", lambda x, steps: step_states_slow(x, steps) + 1),
        Mistake(
            "Every state is the same: the number of the step is missing.",
            lambda x, steps: (x + 1).expand(steps, *x.shape).clone(),
        ),
        Mistake("The states run backwards.", lambda x, steps: step_states_slow(x, steps).flip(0)),
        Mistake(
            "The steps stand along the last axis; they come first.",
            lambda x, steps: step_states_slow(x, steps).movedim(0, -1),
        ),
        Mistake(
            "The result has torch's default dtype: pass dtype=x.dtype and device=x.device where you make a tensor.",
            lambda x, steps: step_states_slow(x, steps).to(torch.float32),
        ),
        Mistake(
            "The numbers of the steps are int64, so the sum is too: pass dtype=x.dtype and device=x.device.",
            lambda x, steps: step_states_slow(x, steps).to(torch.promote_types(x.dtype, torch.int64)),
        ),
    ),
    sources=("S0.7", "S0.8"),
)

TASKS = (CLIP_AND_SCALE, TILED_ADD, STEP_STATES)
