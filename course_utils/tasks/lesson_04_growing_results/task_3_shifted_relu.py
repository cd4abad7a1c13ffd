"""In place where autograd allows it: the sum needs neither of its parts again, and a `relu` knows its slope from its result.

The slow loop ends with a stack of single values, so that gradients flow through it.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, noncontiguous_case, random_case, transposed_case
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def shifted_relu_slow(x, shift):
    """Each value of x plus its column's shift, and 0 where that is below 0."""
    rows = []
    for row in x:
        values = []
        for value, change in zip(row, shift):
            shifted = value + change
            values.append(shifted if shifted > 0 else torch.zeros_like(shifted))
        rows.append(torch.stack(values))
    return torch.stack(rows)


def _two_tensors(x, shift):
    return torch.relu(x + shift)


TASK = Task(
    id="shifted_relu",
    title="In place, and still trained",
    points=2,
    level=2,
    slow=shifted_relu_slow,
    inputs=lambda size, generator: (normal(generator, size, size + 1), normal(generator, size + 1)),
    edge_cases=(
        random_case("a single value", (1, 1), (1,)),
        random_case("one row", (1, 5), (5,)),
        random_case("as many rows as columns", (4, 4), (4,)),
        fixed_case("values that become 0 exactly", [[-1.0, 2.0], [1.0, -2.0]], [1.0, 2.0]),
        fixed_case("values that all fall below 0", [[-5.0, -6.0]], [1.0, 2.0]),
        transposed_case(3, 4, (4,)),
        noncontiguous_case("every second value", (3, 4), (4,)),
        float64((3, 4), (4,)),
    ),
    count_sizes=(8, 64),
    race_size=64,
    story=prose(
        """
        A layer of a network adds a shift to every column, and sets to 0 what is below 0. To save memory, somebody wrote it in
        two lines, `x += shift` and `x[x < 0] = 0`, and returned `x`.

        That changes the caller's `x`. And in training it raises where gradients are wanted for `x` itself, or where the layer
        before needs its result on the way back. Write `shifted_relu(x, shift)` so that it can be trained, and still makes no
        tensor but its result.
        """
    ),
    rules=prose(
        """
        - `x` is a floating-point matrix with one row and one column at least, `shift` has one value for each column; all values
        are finite. The result has the shape and the dtype of `x`. Both inputs stay as they were.
        - Gradients reach `x` and `shift`, as in the slow loop: that of a value that is set to 0 is 0.
        - A few tensor operations, and memory for the result and nothing else: no mask, no second tensor.
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
    ways={"two tensors": _two_tensors},
    hints=items(
        """
        - Two steps. The first needs a tensor of its own, for x must stay. The second may write over that tensor, if nothing that
          the backward pass needs is lost by it. What does a sum need backward? And a relu?
        - A sum needs nothing: its slope is 1 everywhere. The slope of a relu can be seen from its result: 1 where that is above
          0. So its input may be overwritten.
        - `(x + shift).relu_()`.
        """
    ),
    mistakes=(
        Mistake("Nothing is set to 0: values below 0 go on.", lambda x, shift: x + shift),
        Mistake("The shift is missing.", lambda x, shift: torch.relu(x)),
        Mistake(
            "Values below 0 are set to 0 before the shift is added, not after.", lambda x, shift: torch.relu(x) + shift
        ),
        Mistake("Values below 0 have lost their sign; they are to be 0.", lambda x, shift: (x + shift).abs()),
    ),
    sources=("S1.6",),
)
