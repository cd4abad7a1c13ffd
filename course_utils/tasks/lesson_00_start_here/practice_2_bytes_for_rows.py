"""Practice: the least number of bytes that an operation must read and write."""

from course_utils.tasks.task import Case, Mistake, Task


def bytes_for_rows_slow(rows):
    """Return the least number of bytes that x * y + z moves for three columns of float32."""
    moved = 0
    for _ in range(rows):
        moved += 3 * 4  # read one value of each column
        moved += 4  # write the result
    return moved


TASK = Task(
    id="bytes_for_rows",
    title="Bytes that x * y + z must move",
    points=0,
    level=1,
    framework="none",
    slow=bytes_for_rows_slow,
    inputs=lambda size, generator: (int(generator.integers(1, 100 * size)),),
    reference=lambda rows: 4 * 4 * rows,
    edge_cases=(Case("no rows", lambda _: (0,)), Case("3,000,000,001 rows", lambda _: (3 * 10**9 + 1,))),
    worst="The result is proportional to the number of rows, whatever that number is.",
    hints=(
        "How many columns does the operation read, and how many does it write?",
        "The operation moves four values per row, and a float32 value has four bytes.",
    ),
    mistakes=(
        Mistake(
            "This is 12 bytes per row, or three values: the operation reads three values and writes one.",
            lambda rows: 12 * rows,
        ),
        Mistake(
            "This is 4 bytes per row, or one value: the operation moves four values, and each has four bytes.",
            lambda rows: 4 * rows,
        ),
        Mistake(
            "This is 32 bytes per row, as for four float64 values: a float32 value has four bytes.",
            lambda rows: 32 * rows,
        ),
        Mistake(
            "This is 24 bytes per row, as for two operations, which write the product and read it again: count one "
            "operation.",
            lambda rows: 24 * rows,
        ),
    ),
)
