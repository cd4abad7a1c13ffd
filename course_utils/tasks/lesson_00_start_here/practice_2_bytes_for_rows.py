"""Practice of the limit: what must be read and written at the least."""

from course_utils.tasks.task import Case, Mistake, Task


def bytes_for_rows_slow(rows):
    """The least bytes that x * y + z must move, for three columns of float32."""
    moved = 0
    for _ in range(rows):
        moved += 3 * 4  # one number of each column is read
        moved += 4  # and the result is written
    return moved


TASK = Task(
    id="bytes_for_rows",
    title="What x * y + z must move",
    points=0,
    level=1,
    framework="none",
    slow=bytes_for_rows_slow,
    inputs=lambda size, generator: (int(generator.integers(1, 100 * size)),),
    edge_cases=(Case("no rows", lambda _: (0,)), Case("a hundred thousand rows", lambda _: (100_000,))),
    hints=(
        "How many columns are read, and how many are written?",
        "Four numbers a row, and a float32 number has four bytes.",
    ),
    mistakes=(
        Mistake("The result must be written too.", lambda rows: 12 * rows),
        Mistake("These are numbers; each of them has four bytes.", lambda rows: 4 * rows),
        Mistake("These are bytes of float64 numbers; float32 has half as many.", lambda rows: 32 * rows),
        Mistake(
            "This writes the product and reads it again, as two operations in a row do; the least does both at once.",
            lambda rows: 24 * rows,
        ),
    ),
)
