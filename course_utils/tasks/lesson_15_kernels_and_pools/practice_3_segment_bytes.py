"""Practice: how much memory PyTorch's caching allocator gets from the GPU for a request that no free block fits."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers

KIB, MIB = 2**10, 2**20


def segment_bytes_slow(request):
    """Return the bytes of the new segment for a request of `request` bytes."""
    rounded = request
    while rounded % 512:
        rounded += 1
    if rounded <= 2**20:
        return 2 * 2**20
    if rounded < 10 * 2**20:
        return 20 * 2**20
    segment = rounded
    while segment % (2 * 2**20):
        segment += 512
    return segment


def _request(generator, size):
    return int(integers(generator, 1, 700_000 * size + 2, 1))


def _segment(request, small=MIB, large=10 * MIB):
    if request <= small:
        return 2 * MIB
    return 20 * MIB if request < large else -(-request // (2 * MIB)) * 2 * MIB


TASK = Task(
    id="segment_bytes",
    title="The bytes of a segment",
    points=0,
    level=1,
    framework="none",
    slow=segment_bytes_slow,
    inputs=lambda size, generator: (_request(generator, size),),
    edge_cases=(
        Case("a single byte", lambda _: (1,)),
        Case("exactly 1 MB", lambda _: (MIB,)),
        Case("one byte more than 1 MB", lambda _: (MIB + 1,)),
        Case("exactly 10 MB", lambda _: (10 * MIB,)),
        Case("512 bytes less than 10 MB", lambda _: (10 * MIB - 512,)),
        Case("one byte less than 10 MB", lambda _: (10 * MIB - 1,)),
        Case("a request that is rounded up to 12 MB", lambda _: (10 * MIB + 1,)),
        Case("one byte more than 512 MB, which float32 rounds", lambda _: (512 * MIB + 1,)),
        Case("one byte more than 8 GB, whose next multiple of 512 float32 rounds", lambda _: (2**33 + 1,)),
    ),
    worst="The result is a formula of one number.",
    mistakes=(
        Mistake(
            "A request of more than 1 MB and less than 10 MB gets a multiple of 2 MB here: return 20 MB.",
            lambda request: 2 * MIB if request <= MIB else -(-request // (2 * MIB)) * 2 * MIB,
        ),
        Mistake("Round the request up to a multiple of 512 bytes before you compare it with the limits.", _segment),
        Mistake(
            "A request of 10 MB or more is rounded up to a multiple of 20 MB here: round up to a multiple of 2 MB.",
            lambda request: 2 * MIB if request <= MIB else -(-request // (20 * MIB)) * 20 * MIB,
        ),
        Mistake(
            "Both limits are off by one byte: a request of exactly 1 MB is small, and 10 MB isn't below 10 MB.",
            lambda request: _segment(request, MIB - 1, 10 * MIB + 1),
        ),
        Mistake(
            "Memory is counted in powers of two: 1 MB is 2**20 bytes here.",
            lambda request: 2e6 if request <= 1e6 else 20e6 if request < 10e6 else -(-request // 2e6) * 2e6,
        ),
    ),
)
