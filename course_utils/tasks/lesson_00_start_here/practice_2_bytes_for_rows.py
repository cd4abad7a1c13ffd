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
    edge_cases=(Case("no rows", lambda _: (0,)), Case("three billion rows", lambda _: (3 * 10**9 + 1,))),
    worst="The result is proportional to the number of rows, whatever that number is.",
    hints=(
        "How many columns does the operation read, and how many does it write?",
        "It moves four values per row, and a float32 value has four bytes.",
    ),
    mistakes=(
        Mistake("The operation also writes the result: add its bytes.", lambda rows: 12 * rows),
        Mistake("This counts values: each value has four bytes.", lambda rows: 4 * rows),
        Mistake("These are bytes of float64 values: a float32 value has four bytes.", lambda rows: 32 * rows),
        Mistake(
            "This also writes the product and reads it again, as two operations do: one operation causes the least traffic.",
            lambda rows: 24 * rows,
        ),
    ),
)
