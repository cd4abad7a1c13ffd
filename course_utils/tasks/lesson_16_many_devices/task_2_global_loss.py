"""The share of one worker in the mean loss of the global batch."""

from __future__ import annotations

from math import nan

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, random_case
from course_utils.tasks.torch_inputs import uniform


def global_loss_slow(per_example, global_batch):
    """Return the sum of this worker's losses, divided by the number of examples of all workers."""
    total = per_example.new_zeros(())
    for loss in per_example:
        total = total + loss / global_batch
    return total


TASK = Task(
    id="global_loss",
    title="A loss that adds up over workers",
    points=1,
    level=1,
    slow=global_loss_slow,
    inputs=lambda size, generator: (uniform(generator, 0, 3, size), 3 * size + 1),
    dtypes={"per_example": FLOATING},
    edge_cases=(
        random_case("a worker without examples", (0,), rest=(8,)),
        fixed_case("a loss that is NaN", [0.5, nan, 1.5], rest=(6,)),
        Case(
            "5 of 100,000 examples, which float16 can't count",
            lambda g: (uniform(g, 100, 300, 5, dtype=torch.float16), 100_000),
        ),
        Case(
            "more examples than 32 bits can count", lambda g: (uniform(g, 0, 3, 5, dtype=torch.float64), 3_000_000_127)
        ),
        # float32 rounds the number of all examples.
        Case(
            "5,000 of 2²⁴ + 1 examples",
            lambda g: (uniform(g, 0, 3, 5000, dtype=torch.float64), 2**24 + 1),
            differentiable=False,
        ),
        Case("a worker that has the whole batch", lambda generator: (uniform(generator, 0, 3, 4), 4)),
    ),
    worst="Losses are positive and few, so no batch is harder to add than a random one.",
    gradients=True,
    limits=(at_most(4, "ops"), at_most(0, "syncs")),
    story=prose(
        """
        Several workers train one model. Each worker has some examples of the whole batch, the *global batch*, and the
        workers *add* their gradients. The gradient of the global batch is the gradient of the mean over all its
        examples. Write `global_loss(per_example, global_batch)`, which returns the loss that one worker must
        differentiate: the sum of its own losses, divided by the number of examples in the global batch.
        """
    ),
    rules=prose(
        """
        - `per_example` is a vector of a floating dtype with one loss per example of this worker, and `global_batch` is an integer: the
          number of examples of all workers. Workers may have different numbers of examples, or none.
        - The result is a tensor without dimensions, in the dtype and on the device of `per_example`.
        """
    ),
    hints=items(
        """
        - Add the losses of all workers in your head: which number must divide each example's loss?
        - A mean divides by the worker's own number of examples. Use a sum, and divide it yourself.
        - Return `per_example.sum() / global_batch`.
        """
    ),
    mistakes=(
        Mistake(
            "This is the mean over this worker's own examples. With w equal workers, the added gradients are w times as "
            "large as the gradient of the whole batch: divide by `global_batch`.",
            lambda per_example, global_batch: per_example.mean(),
        ),
        Mistake(
            "This is the sum of the losses: divide it by `global_batch`.",
            lambda per_example, global_batch: per_example.sum(),
        ),
        Mistake(
            "The losses are divided twice: divide their sum by `global_batch` only.",
            lambda per_example, global_batch: per_example.mean() / global_batch,
        ),
        Mistake(
            "This is one value per example: add up the values.",
            lambda per_example, global_batch: per_example / global_batch,
        ),
    ),
    sources=("S3.7",),
)
