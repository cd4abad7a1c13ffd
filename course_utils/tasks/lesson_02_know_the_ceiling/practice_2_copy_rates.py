"""Practice of the ladder: the loop over working sets. Its stopwatch is made up, so that an answer can be judged without a clock."""

import torch

from course_utils.tasks.task import Case, Mistake, Task


def copy_rates_slow(sizes, time_copy):
    """Bytes a second that a copy reads and writes, for each working set of so many bytes."""
    rates = []
    for size in sizes:
        x = torch.ones(size // 8)  # half of the working set, at four bytes a number
        out = torch.ones(size // 8)
        rates.append(size / time_copy(x, out))
    return rates


def _made_up_seconds(x, out):
    """A machine whose start costs a microsecond, and which is slower from 2 KB on."""
    touched = x.nbytes + (0 if x.data_ptr() == out.data_ptr() else out.nbytes)
    return 1e-6 + touched / (40e9 if touched <= 2048 else 10e9)


def _half_of_the_bytes(sizes, time_copy):
    return [rate / 2 for rate in copy_rates_slow(sizes, time_copy)]


def _twice_the_working_set(sizes, time_copy):
    return copy_rates_slow([2 * size for size in sizes], time_copy)


def _seconds(sizes, time_copy):
    return [size / rate for size, rate in zip(sizes, copy_rates_slow(sizes, time_copy))]


TASK = Task(
    id="copy_rates",
    title="The rungs of a ladder",
    points=0,
    level=1,
    slow=copy_rates_slow,
    inputs=lambda size, _: ([256 << step for step in range(size)], _made_up_seconds),
    sizes=(1, 3, 6),
    edge_cases=(Case("no working set at all", lambda _: ([], _made_up_seconds)),),
    mistakes=(
        Mistake("A copy reads every byte of x and writes as many into out: both count.", _half_of_the_bytes),
        Mistake("The working set is x and out together, and size is the bytes of both.", _twice_the_working_set),
        Mistake("These are seconds; wanted are bytes a second.", _seconds),
    ),
)
