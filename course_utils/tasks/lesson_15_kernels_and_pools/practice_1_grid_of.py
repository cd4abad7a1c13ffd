"""Practice: the number of programs of a kernel, and the masked part of its last block."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def grid_of_slow(n, block):
    """Return the number of programs for n values in blocks, and the number of masked values in the last block."""
    programs = 0
    while programs * block < n:
        programs += 1
    masked = 0
    while n + masked < programs * block:
        masked += 1
    return programs, masked


def _sizes(generator, size):
    return int(integers(generator, 1, 40 * size + 1, 1)), 2 ** int(integers(generator, 2, 6, 1))


TASK = Task(
    id="grid_of",
    title="Programs and masked values",
    points=0,
    level=1,
    framework="none",
    slow=grid_of_slow,
    inputs=lambda size, generator: _sizes(generator, size),
    edge_cases=(
        Case("values that fill their blocks exactly", lambda _: (16_385 * 128, 128)),
        Case("one value more than a block", lambda _: (129, 128)),
        Case("fewer values than a block", lambda _: (5, 128)),
        Case("2²⁴ + 1 values, which float32 rounds", lambda _: (2**24 + 1, 128)),
        Case("no values", lambda _: (0, 128)),
        Case("one value more than a block of 2²⁰", lambda _: (2**20 + 1, 2**20)),
        Case("a block that is not a power of two", lambda _: (1000, 96)),
        Case("more values than 32 bits can count", lambda _: (2**33 - 5, 2**20)),
    ),
    worst="Both numbers are formulas of two integers.",
    mistakes=(
        Mistake("The last block is missing: round up, as `triton.cdiv(n, block)` does.", lambda n, b: (n // b, -n % b)),
        Mistake(
            "The last block is missing, and `n % block` is the number of its values that are *not* masked: round up.",
            lambda n, b: (n // b, n % b),
        ),
        Mistake(
            "There is one program too many, whose values are all masked: round up, as `triton.cdiv(n, block)` does.",
            lambda n, b: (n // b + 1, b - n % b),
        ),
        Mistake(
            "`n % block` is the number of values of the last block that are *not* masked: count the masked ones.",
            lambda n, b: (-(-n // b), n % b),
        ),
    ),
)
