"""Practice of the roofline in seconds: the least time for given operations and bytes."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def least_seconds_slow(flops, nbytes, peak_flops, peak_bytes_per_s):
    """Return the least seconds for the work on a machine that computes and moves data at the same time."""
    computing = flops / peak_flops
    moving = nbytes / peak_bytes_per_s
    if computing > moving:
        return computing
    return moving


def _work(_, generator):
    flops, nbytes = uniform(generator, 1e6, 1e9, 2).tolist()
    return flops, nbytes, 5e10, 1e10


TASK = Task(
    id="least_seconds",
    title="The roof, in seconds",
    points=0,
    level=1,
    framework="none",
    slow=least_seconds_slow,
    inputs=_work,
    edge_cases=(
        Case("work limited by compute", lambda _: (1e9, 1e6, 5e10, 1e10)),
        Case("little work on a GPU", lambda _: (1e6, 1e5, 2e13, 1e12)),
        Case("work that moves no bytes", lambda _: (1e9, 0, 5e10, 1e10)),
        Case("a single operation", lambda _: (1, 4, 1e15, 1e13)),
        Case("months of work", lambda _: (1e18, 1e12, 5e10, 1e10)),
        Case("a machine that moves more than it computes", lambda _: (1e8, 5e10, 1e9, 1e10)),
        Case("equal times for computing and moving", lambda _: (5e10, 1e10, 5e10, 1e10)),
        Case("a copy, which computes nothing", lambda _: (0, 8e6, 5e10, 1e10)),
    ),
    worst="The result is the larger of two quotients, whatever the numbers are.",
    mistakes=(
        Mistake(
            "This adds the time for compute and the time for memory traffic: a machine does both at the same time, so "
            "take the longer time.",
            lambda flops, nbytes, peak_flops, rate: flops / peak_flops + nbytes / rate,
        ),
        Mistake(
            "This is the shorter of the two times: the work ends with the longer one.",
            lambda flops, nbytes, peak_flops, rate: min(flops / peak_flops, nbytes / rate),
        ),
        Mistake(
            "These are operations per second: return the seconds of this work.",
            lambda flops, nbytes, peak_flops, rate: min(peak_flops, flops / nbytes * rate),
        ),
    ),
)
