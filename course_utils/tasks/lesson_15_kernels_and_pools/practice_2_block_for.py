"""Practice: the block size that keeps enough bytes in flight (Little's law: bytes = bytes per second × seconds)."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def block_for_slow(bytes_per_s, latency_s, programs, itemsize):
    """Return the smallest power of two with which the programs that run at one time have enough bytes in flight."""
    block = 1
    while programs * block * itemsize < bytes_per_s * latency_s:
        block += block
    return block


def _device(generator, size):
    kilobytes, programs = int(integers(generator, 1, 40 * size + 2, 1)), int(integers(generator, 1, 20, 1))
    return 2.0**40, kilobytes * 1024 / 2.0**40, programs, 2 ** int(integers(generator, 1, 4, 1))


def _rounded_down(bytes_per_s, latency_s, programs, itemsize):
    values = bytes_per_s * latency_s / (programs * itemsize)
    return 1 << max(0, int(values).bit_length() - 1)


TASK = Task(
    id="block_for",
    title="A block size from bytes",
    points=0,
    level=1,
    framework="none",
    slow=block_for_slow,
    inputs=lambda size, generator: _device(generator, size),
    edge_cases=(
        Case("exactly 2²⁹ values, for which a quotient of logarithms is above 29", lambda _: (2.0**40, 2.0**-11, 1, 1)),
        Case("16 bytes more than a power of two", lambda _: (2.0**40, 2.0**-20 + 2.0**-36, 8, 4)),
        Case("half a byte more than a power of two", lambda _: (2.0**10 + 0.5, 1.0, 1, 1)),
        # float32 rounds this number of bytes, and an int32 can't hold the block.
        Case("one byte more than 1 GB", lambda _: (2.0**40, 2.0**-10 + 2.0**-40, 1, 1)),
        Case("values of 3 bytes", lambda _: (2.0**40, 0.7 * 2.0**-20, 8, 3)),
        Case("120,000 programs at a time", lambda _: (1e14, 1e-6, 120_000, 4)),
        Case("one program at a time", lambda _: (1e12, 1e-6, 1, 2)),
        Case("a device that needs only one value per program", lambda _: (1e9, 1e-9, 64, 4)),
    ),
    worst="The result is a formula of four numbers.",
    mistakes=(
        Mistake("This block keeps too few bytes in flight: round up to the next power of two.", _rounded_down),
        Mistake(
            "This is the block of a single program: all programs that run at one time share the bytes in flight.",
            lambda bytes_per_s, latency_s, programs, itemsize: block_for_slow(bytes_per_s, latency_s, 1, itemsize),
        ),
        Mistake(
            "These are bytes: divide by the bytes of a value.",
            lambda bytes_per_s, latency_s, programs, itemsize: block_for_slow(bytes_per_s, latency_s, programs, 1),
        ),
    ),
)
