"""Practice: the bytes that PyTorch's caching allocator holds for tensors of one size, which stay alive."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers

MIB = 2**20


def held_bytes_slow(size, count):
    """Return the bytes that a new pool holds once it has `count` living tensors of `size` bytes each."""
    request = size
    while request % 512:
        request += 1
    if request <= 2**20:
        segment = 2 * 2**20
    elif request < 10 * 2**20:
        segment = 20 * 2**20
    else:
        segment = request
        while segment % (2 * 2**20):
            segment += 512
    held = free = 0
    for _ in range(count):
        if free < request:
            held += segment
            free = segment
        free -= request
    return held


def _tensors(generator, size):
    return int(integers(generator, 1, 700_000 * size + 2, 1)), int(integers(generator, 0, 30, 1))


def _held(size, count, *, rounded_to=512, small=MIB, large=10 * MIB):
    request = -(-size // rounded_to) * rounded_to
    segment = 2 * MIB if request <= small else 20 * MIB if request < large else -(-request // (2 * MIB)) * 2 * MIB
    return -(-count // (segment // request)) * segment


TASK = Task(
    id="held_bytes",
    title="The bytes that a pool holds",
    points=0,
    level=1,
    framework="none",
    slow=held_bytes_slow,
    inputs=lambda size, generator: _tensors(generator, size),
    edge_cases=(
        Case("no tensor", lambda _: (MIB, 0)),
        Case("one tensor of a single byte", lambda _: (1, 1)),
        Case("one tensor of 1 MB and a byte", lambda _: (MIB + 1, 1)),
        Case("tensors of 1 MB that fill two segments", lambda _: (MIB, 4)),
        Case("five tensors of 1 MB", lambda _: (MIB, 5)),
        Case("tensors of 700 KB: two of them fit into 2 MB", lambda _: (700 * 2**10, 3)),
        Case("4,097 tensors of 500 bytes, which are rounded up", lambda _: (500, 4097)),
        Case("tensors of 6 MB: three of them fit into 20 MB", lambda _: (6 * MIB, 7)),
        Case("tensors of 512 bytes less than 10 MB", lambda _: (10 * MIB - 512, 3)),
        Case("tensors of a byte less than 10 MB, which are rounded up", lambda _: (10 * MIB - 1, 3)),
        Case("tensors of exactly 10 MB", lambda _: (10 * MIB, 3)),
        Case("tensors of 10 MB and a byte", lambda _: (10 * MIB + 1, 3)),
        Case("a tensor of 8 GB and a byte, whose next multiple of 512 float32 rounds", lambda _: (2**33 + 1, 1)),
        Case("120,000 tensors of 3 MB", lambda _: (3 * MIB, 120_000)),
    ),
    worst="The result is a formula of two numbers; many tensors are an edge case.",
    mistakes=(
        Mistake(
            "Each tensor gets a segment of its own here: a request gets a free block of an earlier segment if one fits.",
            lambda size, count: count * _held(size, 1),
        ),
        Mistake(
            "Some tensors span two segments here: divide `count` by the number of tensors that fit into a segment, "
            "and round up.",
            lambda size, count: -(-size * count // _held(size, 1)) * _held(size, 1),
        ),
        Mistake(
            "A limit is off: a request of exactly 1 MB, 2**20 bytes, is small, and one of exactly 10 MB isn't below 10 MB.",
            lambda size, count: _held(size, count, small=MIB - 1, large=10 * MIB + 1),
        ),
        Mistake(
            "The requests are not rounded: round each one up to a multiple of 512 bytes first.",
            lambda size, count: _held(size, count, rounded_to=1),
        ),
        Mistake(
            "These are the bytes of the tensors: the pool holds whole segments.",
            lambda size, count: -(-size // 512) * 512 * count,
        ),
    ),
)
