"""The last mile: an expensive curve applied to 8-bit pixels, into a preallocated buffer.

Fusion alone leaves the powers to compute. Pixels have 256 values only, so a table of 256 results replaces them.
"""

from __future__ import annotations

import functools

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer
from course_utils.tasks.torch_inputs import integers, noncontiguous


def last_mile_slow(x, low, high, out):
    """Write (t² (3 - 2 t)) ** (1 / 2.2) into out, with t = (value - low) / (high - low), clamped to 0 … 1."""
    for i in range(len(x)):
        t = ((x[i].to(out.dtype) - low) / (high - low)).clamp(0, 1)
        out[i] = (t * t * (3 - 2 * t)) ** (1 / 2.2)


_LIMITS = (40.5, 220)


def _inputs(generator, rows, columns, dtype=torch.float32, limits=_LIMITS):
    x = integers(generator, 0, 256, rows, columns, dtype=torch.uint8)
    return x, *limits, buffer(generator, rows, columns, dtype=dtype)


def _case(name, rows, columns, **options):
    return Case(name, lambda generator: _inputs(generator, rows, columns, **options))


def _with_buffer(name, make):
    """Return a case with another buffer: ``make(out)`` has the shape of ``out``."""

    def inputs(generator):
        *rest, out = _inputs(generator, 3, 4)
        return *rest, make(out)

    return Case(name, inputs)


def _with_picture(name, make):
    def inputs(generator):
        x, *rest = _inputs(generator, 3, 4)
        return make(x), *rest

    return Case(name, inputs)


def _share(x, low, high, out):
    return (x.to(out.dtype) - low) / (high - low)


def _smooth(t):
    return t * t * (3 - 2 * t)


def _encode(t):
    return t ** (1 / 2.2)


def _eager(x, low, high, out):
    out.copy_(_encode(_smooth(_share(x, low, high, out).clamp(0, 1))))


def _in_place(x, low, high, out):
    out.copy_(x).sub_(low).div_(high - low).clamp_(0, 1)
    out.mul_(out.mul(-2).add_(3).mul_(out)).pow_(1 / 2.2)


@functools.cache
def _compiled():
    """Return the compiled function.

    ``torch.compile`` imports the compiler, which takes seconds, so loading the task must not call it.
    """
    return torch.compile(_eager)


TASK = Task(
    id="last_mile",
    title="The last mile",
    points=5,
    level=3,
    slow=last_mile_slow,
    reference=_eager,
    inputs=lambda size, generator: _inputs(generator, size, size + 1),
    writes=("out",),
    sizes=(3, 5, 17),
    edge_cases=(
        _case("a picture without rows", 0, 4),
        _case("one row", 1, 6),
        _case("a float64 buffer", 3, 4, dtype=torch.float64),
        _case("thresholds outside 0 to 255", 3, 4, limits=(-20.3, 300.7)),
        _case("the lower threshold of an earlier call and another upper one", 3, 4, limits=(-20.3, 200.0)),
        _case("the upper threshold of an earlier call and another lower one", 3, 4, limits=(40.0, 220)),
        _case("thresholds far outside 0 to 255", 3, 4, limits=(-5000.0, 10_000)),
        Case(
            "thresholds less than 1 apart",
            lambda g: (torch.tensor([[99, 100, 101]], dtype=torch.uint8), 100 - 2**-12, 100 + 2**-11, buffer(g, 1, 3)),
        ),
        _case("a lower threshold of 0", 3, 4, limits=(0, 300)),
        _case("5,000 columns", 2, 5000),
        _case("5,000 rows", 5000, 2),
        Case(
            "pixels below, at and above thresholds that are integers",
            lambda g: (torch.tensor([[0, 2, 3, 6, 9]], dtype=torch.uint8), 2, 6, buffer(g, 1, 5)),
        ),
        _case("thresholds that are negative", 3, 4, limits=(-90, -20)),
        _with_picture("a transposed picture", lambda x: x.T.contiguous().T),
        _with_picture("every second column of a wider picture", noncontiguous),
        _with_buffer("a buffer full of NaN", lambda out: torch.full_like(out, torch.nan)),
        _with_buffer("a transposed buffer", lambda out: out.T.contiguous().T),
    ),
    worst=(
        Case(
            "all 256 values",
            lambda g: (torch.arange(256, dtype=torch.uint8).view(16, 16), -20.0, 300.5, buffer(g, 16, 16)),
        ),
    ),
    count_sizes=(8, 160),
    race_size=512,
    story=prose(
        """
        A camera delivers 8-bit pixels. For a preview, pixels fade in from one threshold to another. The fraction t
        of the way from `low` to `high`, clamped to 0 … 1, becomes s = t² (3 − 2t), which starts and ends flat (renderers
        call it *smoothstep*). For the display, s is encoded as `s ** (1 / 2.2)`. The program reuses one buffer. Write
        `last_mile(x, low, high, out)`, which writes the result into `out`, and get as close to your machine's limit as you can.
        """
    ),
    rules=prose(
        """
        - `x` is a matrix of uint8. `out` is a float32 or float64 buffer shaped like `x` and may hold anything before
          the call. `low` and `high` are numbers with `low < high`.
        - The result is the content of `out` afterward, in the memory that you received. `x` is not modified.
        - You may compile or not, and temporary memory isn't limited. Create new tensors on the device of `x`.
        - The card shows your share of the limit.
        """
    ),
    limits=(at_most(60, "ops"), at_most(0, "syncs")),
    target=1.2,  # New memory can take most of the time of an answer that computes each result once.
    cost=lambda size: Cost(reads=size * (size + 1), writes=4 * size * (size + 1)),
    ways={"new temporaries": _eager, "in place": _in_place, "compiled": lambda *arguments: _compiled()(*arguments)},
    hints=items(
        """
        - First write tensor operations on the whole picture, and run `explain` on them, eager and compiled. Which line is
          the costliest, and can fusion help with its reason?
        - A pixel has one of 256 values. How many different results can a picture have, and how often does your code compute
          each of them?
        - Compute the curve once, for `torch.arange(256, dtype=out.dtype, device=x.device)`, and look up each pixel,
          converted to int64: `torch.index_select` (of the flattened pixels), `torch.take` and `table[…]` all do that.
          Compare their cost, and beware of compiling everything: the compiler fuses the curve into the lookup and
          computes the curve for each pixel again.
        """
    ),
    mistakes=(
        Mistake(
            "t isn't smoothed: compute `t * t * (3 - 2 * t)` before the power.",
            lambda x, low, high, out: out.copy_(_encode(_share(x, low, high, out).clamp(0, 1))),
        ),
        Mistake(
            "The encoding for the display is missing: raise the result to the power of 1 / 2.2.",
            lambda x, low, high, out: out.copy_(_smooth(_share(x, low, high, out).clamp(0, 1))),
        ),
        Mistake(
            "The result is raised to the power of 2.2: use 1 / 2.2.",
            lambda x, low, high, out: out.copy_(_smooth(_share(x, low, high, out).clamp(0, 1)) ** 2.2),
        ),
        Mistake(
            "t is smoothed without a clamp: outside `low` and `high` the curve turns back. Clamp first.",
            lambda x, low, high, out: out.copy_(_encode(_smooth(_share(x, low, high, out)).clamp(0, 1))),
        ),
        Mistake(
            "The difference was computed in 8 bits, where 3 − 5 is 254: convert the pixels to the dtype of `out` first.",
            lambda x, low, high, out: out.copy_(_encode(_smooth(((x - low).to(out.dtype) / (high - low)).clamp(0, 1)))),
        ),
    ),
)
