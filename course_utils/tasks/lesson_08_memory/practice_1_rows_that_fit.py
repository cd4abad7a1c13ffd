"""Practice of planning chunks: how many rows fit into a budget?"""

from course_utils.tasks.task import Case, Mistake, Task


def rows_that_fit_slow(budget, columns, copies):
    """Return how many rows of float32 values fit into ``budget`` bytes, each ``copies`` times; at least 1."""
    rows = 1
    while (rows + 1) * columns * 4 * copies <= budget:
        rows += 1
    return rows


def _inputs(size, generator):
    return int(generator.integers(1, 5000 * size)), int(generator.integers(1, 12)), int(generator.integers(1, 4))


TASK = Task(
    id="rows_that_fit",
    title="The rows that fit",
    points=0,
    level=1,
    slow=rows_that_fit_slow,
    inputs=_inputs,
    framework="none",
    edge_cases=(
        Case("two rows that fill the budget exactly", lambda _: (2048, 32, 8)),
        Case("a budget of less than one row", lambda _: (100, 1000, 1)),
        Case("a budget of less than one row, and three copies", lambda _: (100, 1000, 3)),
        Case("a million rows", lambda _: (4 * 10**6 + 3, 1, 1)),
        Case("a budget one byte below eight rows", lambda _: (8 * 4 * 10**16 * 3 - 1, 10**16, 3)),
    ),
    worst="One formula holds for all budgets; the edge cases are its two ends.",
    mistakes=(
        Mistake(
            "A chunk of 0 rows makes no progress: return at least 1.",
            lambda budget, columns, copies: budget // (columns * 4 * copies),
        ),
        Mistake(
            "This counts one byte per value: a float32 has four.",
            lambda budget, columns, copies: max(1, budget // (columns * copies)),
        ),
        Mistake(
            "The copies are missing: divide by `copies`, too, because all copies are alive at the same time.",
            lambda budget, columns, copies: max(1, budget // (columns * 4)),
        ),
    ),
)
