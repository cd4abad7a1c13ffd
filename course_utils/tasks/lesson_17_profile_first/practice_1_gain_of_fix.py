"""Practice: the speed-up of the whole from the speed-up of one part, computed before the part is changed."""

from course_utils.tasks.task import Case, Mistake, Task


def gain_of_fix_slow(whole_s, part_s, factor):
    """Return how many times as fast the whole is if a part of it is `factor` times as fast."""
    after_s = whole_s - part_s + part_s / factor
    return whole_s / after_s


def _times(size, generator):
    whole_s = float(generator.uniform(0.1, size))
    return whole_s, whole_s * float(generator.uniform(0.05, 0.95)), float(generator.uniform(1.5, 20.0))


TASK = Task(
    id="gain_of_fix",
    title="The gain of a fix",
    points=0,
    level=1,
    framework="none",
    slow=gain_of_fix_slow,
    inputs=_times,
    edge_cases=(
        Case("a part that is the whole", lambda _: (2.0, 2.0, 4.0)),
        Case("a part that takes no time", lambda _: (2.0, 0.0, 4.0)),
        Case("a part that gets slower", lambda _: (2.0, 1.5, 0.5)),
        Case("a part that takes hardly any time after the change", lambda _: (2.0, 1.5, 1e9)),
    ),
    worst="The result is a formula of three numbers.",
    mistakes=(
        Mistake(
            "The rest of the whole is missing: add it to `part_s / factor`.",
            lambda whole_s, part_s, factor: whole_s / (part_s / factor) if part_s else float("inf"),
        ),
        Mistake(
            "This is the share of the time that remains: divide the whole by the time that remains.",
            lambda whole_s, part_s, factor: (whole_s - part_s + part_s / factor) / whole_s,
        ),
        Mistake(
            "The part takes no time here after the change: add `part_s / factor` to the rest.",
            lambda whole_s, part_s, factor: whole_s / (whole_s - part_s) if whole_s > part_s else float("inf"),
        ),
        Mistake(
            "This is the gain of the part: divide only the part's time by `factor`.",
            lambda whole_s, part_s, factor: factor,
        ),
    ),
)
