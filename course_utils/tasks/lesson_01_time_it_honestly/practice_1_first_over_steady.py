"""Practice of warm-up: the first call's time as a multiple of a later call's."""

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def first_over_steady_slow(times):
    """Return the first call's time divided by the median of the later calls' times."""
    later = sorted(times[1:].tolist())
    return times[0] / later[len(later) // 2]


def _times(later, generator, first=(0.05, 0.5)):
    """Return the seconds of a first call and of an odd number of later calls."""
    times = uniform(generator, 0.001, 0.002, 1 + later)
    times[0] = generator.uniform(*first)
    return (times,)


def _mostly_equal_times(generator):
    """Return the seconds of a first call and of 5,001 later calls, of which 3,000 are the shortest and equal."""
    (times,) = _times(5001, generator)
    times[-3000:] = 0.001
    return (times,)


TASK = Task(
    id="first_over_steady",
    title="The cost of the first call",
    points=0,
    level=1,
    slow=first_over_steady_slow,
    reference=lambda times: times[0] / times[1:].median(),
    inputs=lambda size, generator: _times(2 * size + 1, generator),
    edge_cases=(
        Case("one later call", lambda generator: _times(1, generator)),
        Case("a first call that is the shortest call", lambda generator: _times(5, generator, (0.0002, 0.0005))),
        Case("a first call that takes very long", lambda generator: _times(5, generator, (500.0, 600.0))),
        Case("5,001 later calls, most of them equal", _mostly_equal_times),
        Case("float64 times", lambda generator: (_times(5, generator)[0].double(),)),
    ),
    worst="A median of an odd number of values is one of them, whatever their order and their number.",
    limits=(at_most(30, "ops"),),
    hints=("`times[0]` is the first call, `times[1:]` are the later calls, and a tensor has a method `median()`.",),
    mistakes=(
        Mistake("The median includes the first call: leave it out with `times[1:]`.", lambda t: t[0] / t.median()),
        Mistake(
            "The ratio is upside down: divide the time of the first call by the median of the later calls.",
            lambda t: t[1:].median() / t[0],
        ),
        Mistake(
            "This divides by the mean of the later calls, which one disturbed call changes: use the median.",
            lambda t: t[0] / t[1:].mean(),
        ),
        Mistake("This is the ratio minus 1: return the ratio itself.", lambda t: t[0] / t[1:].median() - 1),
        Mistake("This divides by the shortest later call: use the median.", lambda t: t[0] / t[1:].min()),
    ),
)
