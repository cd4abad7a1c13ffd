"""Practice: the speed-up of a program from the speed-ups of its stages."""

from course_utils.tasks.task import Case, Mistake, Task


def overall_speedup_slow(seconds, factors):
    """Return how many times as fast the program gets if stage i, which takes seconds[i], gets factors[i]× as fast."""
    before = after = 0.0
    for i in range(len(seconds)):
        before += seconds[i]
        after += seconds[i] / factors[i]
    return before / after


def _stages(generator, count):
    return list(map(float, generator.uniform(0.1, 9, count))), list(map(float, generator.uniform(1, 99, count)))


TASK = Task(
    id="overall_speedup",
    title="The speed-up of the whole",
    points=0,
    level=1,
    framework="none",
    slow=overall_speedup_slow,
    inputs=lambda size, generator: _stages(generator, size),
    edge_cases=(
        Case("a single stage", lambda _: ([3.0], [6.0])),
        Case(
            "a stage that gets 1,000× as fast, and two that stay as they are",
            lambda _: ([1.0, 1.0, 2.0], [1.0, 1.0, 1000.0]),
        ),
        Case("a stage of 0 seconds", lambda _: ([0.0, 2.0], [5.0, 4.0])),
        Case("8,192 stages, in integers", lambda _: ([1] * 8192, [2] * 8000 + [8] * 192)),
        Case("a stage that gets slower", lambda _: ([1.0, 3.0], [4.0, 0.5])),
        Case("a stage that takes no time at all afterward", lambda _: ([9.0, 1.0], [float("inf"), 1.0])),
    ),
    worst="The result is a formula of the numbers.",
    mistakes=(
        Mistake(
            "This is the mean of the factors: divide the seconds before by the seconds after.",
            lambda seconds, factors: sum(factors) / len(factors),
        ),
        Mistake(
            "This weights the factors with the seconds before: divide the seconds of each stage by its factor.",
            lambda seconds, factors: sum(s * f for s, f in zip(seconds, factors)) / sum(seconds),
        ),
        Mistake(
            "This is the share of time that remains: divide the seconds before by the seconds after.",
            lambda seconds, factors: 1 / overall_speedup_slow(seconds, factors),
        ),
    ),
)
