"""Practice: the bytes that a ring all-reduce sends, from the shapes of the parameters."""

from math import prod

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def bytes_sent_slow(shapes, workers):
    """Return the bytes that each worker sends in one ring all-reduce of float32 gradients with these shapes."""
    values = 0
    for shape in shapes:
        product = 1
        for length in shape:
            product *= length
        values += product
    total = 0
    for _ in range(2 * (workers - 1)):
        total += 4 * values
    return total / workers


def _shapes(generator, size):
    lengths = integers(generator, 1, 9, size, 2).tolist()
    return [*map(tuple, lengths), (3,)], int(integers(generator, 2, 9, 1))


def _values(shapes):
    return sum(prod(shape) for shape in shapes)


TASK = Task(
    id="bytes_sent",
    title="The bytes of a ring",
    points=0,
    level=1,
    framework="none",
    slow=bytes_sent_slow,
    inputs=lambda size, generator: _shapes(generator, size),
    edge_cases=(
        Case("a single worker, which sends nothing", lambda _: ([(4, 2), (4,)], 1)),
        Case("a parameter that is one number", lambda _: ([(), (5,)], 2)),
        Case("the weights of a convolution", lambda _: ([(8, 3, 5, 5), (8,)], 4)),
        Case("a convolution over three dimensions", lambda _: ([(4, 2, 3, 3, 3), (4,)], 3)),
        Case("two layers of one shape", lambda _: ([(4, 2), (4,), (4, 2), (4,)], 3)),
        Case("a parameter without values", lambda _: ([(0, 4), (3,)], 3)),
        Case("no parameters", lambda _: ([], 4)),
        Case("a table of 2.5 billion values, more than 32 bits can count", lambda _: ([(50_000, 50_000)], 4)),
        # The bytes of these parameters don't fit into 32 bits.
        Case("large parameters", lambda _: ([(50_257, 12_288), (12_288, 49_152)], 8)),
        Case("120,000 workers and 5,000 parameters", lambda _: ([(30, 20), *[(30,)] * 4999], 120_000)),
    ),
    worst="The result is a formula of a few integers.",
    mistakes=(
        Mistake(
            "This counts values: a float32 value takes four bytes.",
            lambda shapes, workers: 2 * (workers - 1) / workers * _values(shapes),
        ),
        Mistake(
            "This is half of the bytes: a value takes four bytes, and each worker sends `workers - 1` parts twice.",
            lambda shapes, workers: (workers - 1) / workers * 4 * _values(shapes),
        ),
        Mistake(
            "These are the bytes of all workers together: return the bytes of one worker.",
            lambda shapes, workers: 2 * (workers - 1) * 4 * _values(shapes),
        ),
    ),
)
