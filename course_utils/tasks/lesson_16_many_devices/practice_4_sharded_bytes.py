"""Practice: the memory and the messages of fully sharded training."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def sharded_bytes_slow(parameters, workers):
    """Return the bytes that each worker holds and the bytes that it sends per step; all sharded, float32 and Adam."""
    held = 0.0
    for array in ("parameters", "gradients", "first moments", "second moments"):
        held += 4 * parameters / workers
    sent = 0
    for collective in ("gather for the forward pass", "gather for the backward pass", "scatter the gradients"):
        for _ in range(workers - 1):
            sent += 4 * parameters
    return held, sent / workers


def _stored_bytes(parameters, workers):
    return 16 * parameters / workers


def _sent_bytes(parameters, workers):
    return 12 * parameters * (workers - 1) / workers


TASK = Task(
    id="sharded_bytes",
    title="FSDP in two numbers",
    points=0,
    level=1,
    framework="none",
    slow=sharded_bytes_slow,
    inputs=lambda size, generator: (1000 * int(integers(generator, 1, 1000, 1)), size + 1),
    edge_cases=(
        Case("a single worker", lambda _: (5000, 1)),
        Case("fewer parameters than workers", lambda _: (5, 8)),
        Case("70 billion parameters and 120,000 workers", lambda _: (70_000_000_001, 120_000)),
    ),
    worst="Both results are formulas of two integers.",
    mistakes=(
        Mistake(
            "These are only the parameters: a worker also holds their gradients and two means, four values in all.",
            lambda parameters, workers: (_stored_bytes(parameters, workers) / 4, _sent_bytes(parameters, workers)),
        ),
        Mistake(
            "These are the parameters and their gradients: Adam also keeps two means, so a parameter takes 16 bytes.",
            lambda parameters, workers: (_stored_bytes(parameters, workers) / 2, _sent_bytes(parameters, workers)),
        ),
        Mistake(
            "These are the bytes of DDP: FSDP runs two all-gathers and a reduce-scatter, each half of an all-reduce.",
            lambda parameters, workers: (_stored_bytes(parameters, workers), _sent_bytes(parameters, workers) * 2 / 3),
        ),
    ),
)
