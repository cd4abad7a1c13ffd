"""Practice of the warm-up: what the first call cost, in later calls."""

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def first_over_steady_slow(times):
    """How many times as long as the median of the later calls the first call took."""
    later = sorted(times[1:].tolist())
    return times[0] / later[len(later) // 2]


def _times(later, generator, first=(0.05, 0.5)):
    """Seconds of a first call and of an odd number of later ones."""
    times = uniform(generator, 0.001, 0.002, 1 + later)
    times[0] = generator.uniform(*first)
    return (times,)


TASK = Task(
    id="first_over_steady",
    title="What the first call cost",
    points=0,
    level=1,
    slow=first_over_steady_slow,
    inputs=lambda size, generator: _times(2 * size + 1, generator),
    edge_cases=(
        Case("one later call", lambda generator: _times(1, generator)),
        Case("a first call that is the shortest of all", lambda generator: _times(5, generator, (0.0002, 0.0005))),
    ),
    limits=(at_most(30, "ops"),),
    hints=("times[0] is the first call, times[1:] are the later ones, and a tensor has a method median().",),
    mistakes=(
        Mistake(
            "The first call is among those of the median: leave it out, by times[1:].", lambda t: t[0] / t.median()
        ),
        Mistake(
            "This is the share of a later call in the first one: divide the other way round.",
            lambda t: t[1:].median() / t[0],
        ),
        Mistake(
            "This is the mean of the later calls: one disturbed call would move it.", lambda t: t[0] / t[1:].mean()
        ),
        Mistake("This compares with the shortest of the later calls.", lambda t: t[0] / t[1:].min()),
    ),
)
