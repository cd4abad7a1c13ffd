"""Practice of the ladder: a loop over working sets. The stopwatch is a formula, so the check needs no clock."""

import torch

from course_utils.tasks.task import Case, Mistake, Task


def copy_rates_slow(sizes, time_copy):
    """Return the bytes per second that a copy reads and writes, for each working set of size bytes."""
    rates = []
    for size in sizes:
        x = torch.ones(size // 8)  # half of the working set, at four bytes per value
        out = torch.ones(size // 8)
        rates.append(size / time_copy(x, out))
    return rates


def _made_up_seconds(x, out):
    """Return the seconds of a copy on a machine with an overhead of 1 µs and less bandwidth above 2 KB.

    Raises:
        ValueError: if ``x`` and ``out`` aren't two float32 tensors of one shape, each with memory of its own, without gaps.
    """
    for tensor in (x, out):
        if tensor.dtype != torch.float32:
            raise ValueError(f"time_copy takes float32 tensors; got {tensor.dtype}.")
        if 0 in tensor.stride():
            raise ValueError(
                "time_copy got an expanded tensor, whose elements share memory; create one as torch.empty does."
            )
        reach = 1 + sum((length - 1) * stride for length, stride in zip(tensor.shape, tensor.stride()))
        if reach > tensor.numel():
            raise ValueError(
                "time_copy got a tensor with gaps in memory; create one without gaps, as torch.empty does."
            )
    if x.shape != out.shape:
        raise ValueError(f"x and out need the same shape; got {tuple(x.shape)} and {tuple(out.shape)}.")
    if abs(x.data_ptr() - out.data_ptr()) < x.nbytes:
        raise ValueError("x and out share memory; create two tensors.")
    touched = x.nbytes + out.nbytes
    return 1e-6 + touched / (40e9 if touched <= 2048 else 10e9)


def _half_of_the_bytes(sizes, time_copy):
    return [rate / 2 for rate in copy_rates_slow(sizes, time_copy)]


def _twice_the_working_set(sizes, time_copy):
    return copy_rates_slow([2 * size for size in sizes], time_copy)


def _half_of_twice_the_working_set(sizes, time_copy):
    return [rate / 2 for rate in _twice_the_working_set(sizes, time_copy)]


def _seconds(sizes, time_copy):
    return [size / rate for size, rate in zip(sizes, copy_rates_slow(sizes, time_copy))]


TASK = Task(
    id="copy_rates",
    title="Bandwidth by working set",
    points=0,
    level=1,
    slow=copy_rates_slow,
    inputs=lambda size, _: ([256 << step for step in range(size)], _made_up_seconds),
    sizes=(1, 3, 6),
    edge_cases=(
        Case("working sets in any order", lambda _: ([4096, 256, 1024, 256], _made_up_seconds)),
        Case("300 working sets from 64 bytes to 16 MB", lambda _: ([*range(64, 19_200, 64), 2**24], _made_up_seconds)),
        Case("no working sets", lambda _: ([], _made_up_seconds)),
    ),
    worst="Each rate depends on one size, whatever the other sizes are.",
    mistakes=(
        Mistake(
            "This counts only half of the bytes: a copy reads all bytes of `x` and writes as many to `out`.",
            _half_of_the_bytes,
        ),
        Mistake(
            "The working set is twice as large as `size`: `x` and `out` together have `size` bytes.",
            _twice_the_working_set,
        ),
        Mistake(
            "`x` and `out` have `size` bytes each, and only half of these bytes are counted: give each tensor "
            "`size / 2` bytes, so that both together have `size` bytes.",
            _half_of_twice_the_working_set,
        ),
        Mistake("These are seconds: return bytes per second.", _seconds),
    ),
)
