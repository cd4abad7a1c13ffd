"""x · scale + shift in one kernel: programs, blocks and a mask."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.one_kernel import OneKernel
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, noncontiguous_case, random_case
from course_utils.tasks.torch_inputs import normal


def scale_shift_kernel_slow(x, scale, shift):
    """Return x * scale + shift, computed value by value; scale and shift are Python numbers."""
    result = torch.empty_like(x)
    for i in range(len(x)):
        result[i] = x[i] * scale + shift
    return result


REST = (1.5, -0.25)


def _bytes(x, scale, shift):
    return x.numel() * x.element_size()


TASK = Task(
    id="scale_shift_kernel",
    title="Scale and shift in one kernel",
    points=2,
    level=1,
    slow=scale_shift_kernel_slow,
    reference=lambda x, scale, shift: x * scale + shift,
    inputs=lambda size, generator: (normal(generator, size), *REST),
    edge_cases=(
        random_case("no values", (0,), rest=REST),
        random_case("a value", (1,), rest=REST),
        random_case("1,024 values", (1024,), rest=REST),
        random_case("1,025 values", (1025,), rest=REST),
        random_case("20,000 values", (20_000,), rest=REST),
        random_case("other numbers", (6,), rest=(17 / 128, 1000.5)),  # float32 represents them exactly
        random_case("a negative scale, and integers", (6,), rest=(-3, -7)),
        float64((7,), rest=REST),
        noncontiguous_case("every second value of a longer vector", (5,), rest=REST),
        fixed_case("infinity and NaN", [inf, -inf, nan, 0.0], rest=REST),
        Case("scale 0 and shift 0", lambda g: (normal(g, 6), 0.0, 0.0)),
        fixed_case("infinity, NaN and scale 0", [inf, -inf, nan, 2.0], rest=(0.0, 0.5)),
    ),
    worst="Each value is computed on its own.",
    # The larger size is more than a block of 1,024 or 2,048: a Python loop over blocks launches several kernels.
    count_sizes=(8, 2_500),
    story=prose(
        """
        A camera driver calibrates its readings with `x * scale + shift`. PyTorch runs this formula as two operations,
        and each one reads and writes all values. Write `scale_shift_kernel(x, scale, shift)`, which launches one Triton
        kernel of your own. The function allocates the result, chooses the block size and the number of programs, and
        returns the result.
        """
    ),
    rules=prose(
        """
        - `x` is a vector of float32 or float64 of any length, including 0. The result has its dtype and device, and `x`
          is not modified. `x` may be a slice with gaps: `x.contiguous()` copies such a slice and returns any other
          vector as it is.
        - `scale` and `shift` are numbers that float32 represents exactly.
        - The speed is not judged: the interpreter can't show it.
        """
    ),
    limits=(
        at_most(2, "ops"),
        OneKernel(
            _bytes, "each value of `x` at most once", _bytes, "each value of the result once", lambda x, *_: x.numel()
        ),
        at_most(0, "syncs"),
    ),
    hints=items(
        """
        - Which offsets does the program with the number `tl.program_id(0)` handle if each program has a block of
          `BLOCK` values? Which of them are beyond the end?
        - A launch needs `triton.cdiv(n, BLOCK)` programs. Load and store with the same offsets and the same mask.
        - `offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)`, `mask = offsets < n`, then
          `tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) * scale + shift, mask=mask)`.
        """
    ),
    mistakes=(
        Mistake("This is x · (scale + shift): multiply first, then add.", lambda x, scale, shift: x * (scale + shift)),
        Mistake("The shift is scaled, too: multiply first, then add.", lambda x, scale, shift: (x + shift) * scale),
    ),
    sources=("S2.8",),
    timeout_s=20.0,  # The interpreter needs about a millisecond per program.
)
