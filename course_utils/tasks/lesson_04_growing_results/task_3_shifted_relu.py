"""In-place work that autograd allows: a sum needs none of its inputs again, and `relu` gets its derivative from its result.

The slow loop ends with a stack of single values, so that gradients flow through it.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, noncontiguous_case, random_case, transposed_case
from course_utils.tasks.torch_inputs import normal


def shifted_relu_slow(x, shift):
    """Return each value of x plus its column's shift, or 0 if the sum is negative."""
    rows = []
    for row in x:
        values = []
        for value, offset in zip(row, shift):
            shifted = value + offset
            values.append(shifted if shifted > 0 else torch.zeros_like(shifted))
        rows.append(torch.stack(values))
    return torch.stack(rows)


def _two_tensors(x, shift):
    return torch.relu(x + shift)


_LONG = (
    random_case("4,100 rows of one value", (4100, 1), (1,)),
    random_case("one row of 4,100 values", (1, 4100), (4100,)),
)

TASK = Task(
    id="shifted_relu",
    title="In place and still trainable",
    points=2,
    level=2,
    slow=shifted_relu_slow,
    inputs=lambda size, generator: (normal(generator, size, size + 1), normal(generator, size + 1)),
    edge_cases=(
        random_case("a single value", (1, 1), (1,)),
        random_case("one row", (1, 5), (5,)),
        random_case("as many rows as columns", (4, 4), (4,)),
        fixed_case("sums that are positive or exactly 0", [[-1.0, 2.0], [1.0, -2.0]], [1.0, 2.0]),
        fixed_case("sums that are all below 0", [[-5.0, -6.0]], [1.0, 2.0]),
        transposed_case(3, 4, (4,)),
        noncontiguous_case("every second value", (3, 4), (4,)),
        float64((3, 4), (4,)),
    ),
    worst=(
        fixed_case("sums that are 0 or next to it", [[-1.0, 1.0, 0.0, -2.0]] * 2, [1.0, -1.0, -0.0, 2.0000002]),
        fixed_case("sums of 1e-30 and 3e-30", [[1e-30, -1e-30]], [2e-30, 2e-30]),
        *(replace(each, differentiable=False) for each in _LONG),  # Gradients of so many values take long.
        fixed_case("nothing above 0", [[-1e30, -1e-30], [-3.0, -4.0]], [0.0, -0.0]),
    ),
    count_sizes=(8, 64),
    race_size=64,
    story=prose(
        """
        A layer of a network adds a shift to each column and sets negative values to 0. To save memory, a colleague wrote it in two
        lines, `x += shift` and `x[x < 0] = 0`, and returned `x`.

        These lines change the caller's `x`. In training, they cause an error if the caller created `x` with `requires_grad=True`,
        or if the layer before needs its result in the backward pass. Write `shifted_relu(x, shift)` so that it works in training and
        allocates only its result.
        """
    ),
    rules=prose(
        """
        - `x` is a float32 or float64 matrix with at least one row and one column. `shift` has one value per column, in the same dtype. All values are
        finite. The result has the shape and dtype of `x`. The inputs don't change.
        - `x` and `shift` get the same gradients as in the slow loop: the gradient of a value that becomes 0 is 0.
        - Memory is counted on inputs that need gradients.
        """
    ),
    limits=(
        at_most(6, "ops"),
        at_most(0, "syncs"),
        at_most(lambda x, shift: x.nbytes, "bytes", "the bytes of the result"),
    ),
    gradients=True,
    target=20.0,
    cost=lambda size: Cost(reads=4 * (size + 1) * (size + 1), writes=4 * size * (size + 1), launches=1),
    ways={"new tensors": _two_tensors},
    hints=items(
        """
        - The first step needs a new tensor, because `x` must not change. The second step can overwrite that tensor if the backward
          pass doesn't need it. What does a sum need for its backward pass, and what does `relu` need?
        - A sum needs nothing: its derivative is 1. `relu` gets its derivative from its result: 1 if the result is positive, else 0.
          So `relu` can overwrite its input.
        - `(x + shift).relu_()`.
        """
    ),
    mistakes=(
        Mistake("Negative values stay: set them to 0.", lambda x, shift: x + shift),
        Mistake("The shift is missing: add it first.", lambda x, shift: torch.relu(x)),
        Mistake(
            "Negative values are set to 0 before the shift is added: add the shift first.",
            lambda x, shift: torch.relu(x) + shift,
        ),
        Mistake("Negative values lost their sign: set them to 0.", lambda x, shift: (x + shift).abs()),
    ),
    sources=("S1.6",),
)
