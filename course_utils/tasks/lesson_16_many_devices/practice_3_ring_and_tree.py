"""Practice: the times of an all-reduce as a ring and as a tree, from latency and bandwidth."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def ring_and_tree_slow(size, workers, latency_s, bandwidth):
    """Return the seconds of an all-reduce of size bytes, as a ring and as a tree."""
    ring = 0.0
    for _ in range(2 * (workers - 1)):
        ring += latency_s + size / workers / bandwidth
    levels, reached = 0, 1
    while reached < workers:
        levels, reached = levels + 1, 2 * reached
    return ring, 2 * levels * (latency_s + size / bandwidth)


def _tree(size, workers, latency_s, bandwidth):
    return 2 * (workers - 1).bit_length() * (latency_s + size / bandwidth)


def _ring(size, workers, latency_s, bandwidth):
    return 2 * (workers - 1) * (latency_s + size / workers / bandwidth)


def _links(generator, workers):
    size, latency, bandwidth = uniform(generator, 1.0, 9.0, 3).tolist()
    return 1e6 * size, workers, 1e-5 * latency, 1e9 * bandwidth


TASK = Task(
    id="ring_and_tree",
    title="Ring and tree",
    points=0,
    level=1,
    framework="none",
    slow=ring_and_tree_slow,
    inputs=lambda size, generator: _links(generator, size),
    tolerance=0.01,  # This means 2e-11 in float64, because the slow loop adds up to 239,998 terms.
    edge_cases=(
        Case("a power of two", lambda generator: _links(generator, 64)),
        Case("one worker more than a power of two", lambda generator: _links(generator, 4097)),
        Case("120,000 workers", lambda generator: _links(generator, 120_000)),
        Case("a link without latency", lambda _: (1e6, 6, 0.0, 1e9)),
        Case("fewer bytes than workers", lambda _: (3.0, 8, 1e-5, 1e9)),
        Case("a message without bytes", lambda _: (0.0, 8, 1e-5, 1e9)),
    ),
    worst="Both times are formulas of four numbers.",
    mistakes=(
        Mistake(
            "Each message of the ring has all bytes here: send one part, `size / workers` bytes.",
            lambda s, w, latency, bandwidth: (2 * (w - 1) * (latency + s / bandwidth), _tree(s, w, latency, bandwidth)),
        ),
        Mistake(
            "The tree has one level too few: round the logarithm up.",
            lambda s, w, latency, bandwidth: (
                _ring(s, w, latency, bandwidth),
                2 * (w.bit_length() - 1) * (latency + s / bandwidth),
            ),
        ),
        Mistake(
            "These are half of the seconds: the sums must also come back, in as many messages.",
            lambda s, w, latency, bandwidth: (_ring(s, w, latency, bandwidth) / 2, _tree(s, w, latency, bandwidth) / 2),
        ),
    ),
)
