"""Practice of counting bytes: what any way to make these tensors of those must move."""

import torch

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal


def must_move_slow(inputs, outputs):
    """Bytes that must be moved to make outputs of inputs: each number is read, or written, once."""
    total = 0
    for tensor in [*inputs, *outputs]:
        for _ in range(tensor.numel()):
            total += tensor.element_size()
    return total


def _product(size, generator):
    return [normal(generator, 3, size), normal(generator, size, 2)], [torch.empty(3, 2)]


TASK = Task(
    id="must_move",
    title="The bytes that must be moved",
    points=0,
    level=1,
    slow=must_move_slow,
    inputs=_product,
    edge_cases=(
        Case("zeros, which are made of nothing", lambda _: ([], [torch.zeros(5)])),
        Case(
            "a mask of one byte a number", lambda g: ([torch.ones(4, dtype=torch.bool), normal(g, 4)], [normal(g, 4)])
        ),
        Case("float64 values", lambda g: ([normal(g, 3, dtype=torch.float64)], [torch.zeros((), dtype=torch.float64)])),
    ),
    mistakes=(
        Mistake(
            "These are numbers, not bytes: how many bytes has one number?",
            lambda inputs, outputs: sum(each.numel() for each in [*inputs, *outputs]),
        ),
        Mistake(
            "Four bytes a number holds for float32 alone; a tensor's `element_size()` knows.",
            lambda inputs, outputs: 4 * sum(each.numel() for each in [*inputs, *outputs]),
        ),
        Mistake("The outputs must be written, too.", lambda inputs, outputs: sum(each.nbytes for each in inputs)),
    ),
)
