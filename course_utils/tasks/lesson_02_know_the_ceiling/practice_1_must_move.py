"""Practice of counting bytes: the traffic that every version of a computation causes."""

import torch

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal


def must_move_slow(inputs, outputs):
    """Return the bytes that any computation of outputs from inputs must move: it reads or writes each value once."""
    total = 0
    for tensor in [*inputs, *outputs]:
        for _ in range(tensor.numel()):
            total += tensor.element_size()
    return total


def _product(size, generator):
    return [normal(generator, 3, size), normal(generator, size, 2)], [torch.zeros(3, 2)]


def _in_place(tensor):
    return [tensor], [tensor]


TASK = Task(
    id="must_move",
    title="The bytes that must move",
    points=0,
    level=1,
    slow=must_move_slow,
    inputs=_product,
    reference=lambda inputs, outputs: sum(tensor.nbytes for tensor in [*inputs, *outputs]),
    edge_cases=(
        Case("zeros, which need no input", lambda _: ([], [torch.zeros(5)])),
        Case(
            "a mask with one byte per value",
            lambda g: ([torch.ones(4, dtype=torch.bool), normal(g, 4)], [normal(g, 4)]),
        ),
        Case(
            "three inputs and two outputs",
            lambda g: (
                [normal(g, 3), normal(g, 1), normal(g, 2)],
                [torch.zeros(3), torch.zeros(2, dtype=torch.float16)],
            ),
        ),
        Case(
            "inputs of one size, outputs of one size",
            lambda g: ([normal(g, 3) for _ in range(40)], [torch.zeros(2) for _ in range(40)]),
        ),
        Case("an operation in place", lambda g: _in_place(normal(g, 3))),
        Case(
            "tensors of many dtypes and shapes",
            lambda _: (
                [
                    torch.zeros(2, 3, dtype=getattr(torch, dtype))
                    for dtype in ("int64", "int16", "uint8", "bfloat16", "complex64")
                ],
                [torch.zeros(2, 3, 4), torch.zeros(0), torch.zeros(()), torch.zeros(1, dtype=torch.int32)],
            ),
        ),
        Case(
            "more bytes than float32 can count",
            lambda _: ([torch.zeros(2**24 + 1, dtype=torch.uint8)], [torch.zeros((), dtype=torch.uint8)]),
        ),
        Case("float64 values", lambda g: ([normal(g, 3, dtype=torch.float64)], [torch.zeros((), dtype=torch.float64)])),
    ),
    worst="The result is a sum over the tensors, whatever they hold.",
    mistakes=(
        Mistake(
            "This is the number of values, not of bytes: add up the `nbytes` of all tensors.",
            lambda inputs, outputs: sum(each.numel() for each in [*inputs, *outputs]),
        ),
        Mistake(
            "Here, each value counts as four bytes, which isn't true for every dtype: add up the `nbytes` of all "
            "tensors.",
            lambda inputs, outputs: 4 * sum(each.numel() for each in [*inputs, *outputs]),
        ),
        Mistake(
            "The outputs are missing: the computation writes them.",
            lambda inputs, outputs: sum(each.nbytes for each in inputs),
        ),
    ),
)
