"""Practice of the roofline, as seconds: what work of so many operations and bytes takes at the least."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def least_seconds_slow(flops, nbytes, peak_flops, peak_bytes_per_s):
    """The least seconds for the work, where computing and moving go on at the same time."""
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
        Case("work that the peak of arithmetic binds", lambda _: (1e9, 1e6, 5e10, 1e10)),
        Case("a copy, which computes nothing", lambda _: (0, 8e6, 5e10, 1e10)),
    ),
    mistakes=(
        Mistake(
            "This is the sum: a machine computes and moves at the same time, so the longer of the two says it all.",
            lambda flops, nbytes, peak_flops, rate: flops / peak_flops + nbytes / rate,
        ),
        Mistake(
            "This is the shorter of the two, and the work is not done before the longer one is.",
            lambda flops, nbytes, peak_flops, rate: min(flops / peak_flops, nbytes / rate),
        ),
        Mistake(
            "This is operations a second, the roof itself; wanted are the seconds of this work.",
            lambda flops, nbytes, peak_flops, rate: min(peak_flops, flops / nbytes * rate),
        ),
    ),
)
