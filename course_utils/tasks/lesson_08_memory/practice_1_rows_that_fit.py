"""Practice of planning chunks: how many rows may be worked on at one time?"""

from course_utils.tasks.task import Case, Mistake, Task


def rows_that_fit_slow(budget, columns, copies):
    """How many rows of so many float32 numbers fit into budget bytes, if they are there in so many copies; at least one."""
    rows = 1
    while (rows + 1) * columns * 4 * copies <= budget:
        rows += 1
    return rows


def _drawn(size, generator):
    return int(generator.integers(1, 5000 * size)), int(generator.integers(1, 12)), int(generator.integers(1, 4))


TASK = Task(
    id="rows_that_fit",
    title="The rows that fit",
    points=0,
    level=1,
    slow=rows_that_fit_slow,
    inputs=_drawn,
    framework="none",
    edge_cases=(
        Case("rows that fit to the byte", lambda _: (4096, 32, 2)),
        Case("a budget of less than one row", lambda _: (100, 1000, 1)),
    ),
    mistakes=(
        Mistake(
            "A chunk of no rows never gets anywhere: take at least one.",
            lambda budget, columns, copies: budget // (columns * 4 * copies),
        ),
        Mistake(
            "These are numbers of one byte: a float32 has four.",
            lambda budget, columns, copies: max(1, budget // (columns * copies)),
        ),
        Mistake(
            "The copies are missing: all of them are alive at one time.",
            lambda budget, columns, copies: max(1, budget // (columns * 4)),
        ),
    ),
)
