"""Practice: how TensorFlow divides a batch among replicas."""

from course_utils.tasks.task import Case, Mistake, Task


def examples_per_replica_slow(batch, replicas):
    """Return the number of examples of each replica: the first ones get the rounded-up share until none are left."""
    share = 0
    while share * replicas < batch:
        share += 1
    counts = []
    for _ in range(replicas):
        counts.append(min(share, batch))
        batch -= counts[-1]
    return counts


TASK = Task(
    id="examples_per_replica",
    title="A divided batch",
    points=0,
    level=1,
    framework="none",
    slow=examples_per_replica_slow,
    inputs=lambda size, generator: (int(generator.integers(1, 50)), size),
    edge_cases=(
        Case("a batch that is divisible", lambda _: (12, 4)),
        Case("11 examples for 3 replicas", lambda _: (11, 3)),
        Case("no examples", lambda _: (0, 3)),
        Case("2²⁴ + 1 examples, which float32 rounds", lambda _: (2**24 + 1, 64)),
        Case("20,001 examples for 20,000 replicas", lambda _: (20_001, 20_000)),
        Case("fewer examples than replicas", lambda _: (2, 4)),
        Case("5 examples for 4 replicas, of which one gets none", lambda _: (5, 4)),
    ),
    worst="The result is a formula of two integers.",
    mistakes=(
        Mistake(
            "The shares add up to fewer examples than the batch has: round the share up.",
            lambda batch, replicas: [batch // replicas] * replicas,
        ),
        Mistake(
            "Every replica gets a full share here: the last ones get the rest, or nothing.",
            lambda batch, replicas: [-(-batch // replicas)] * replicas,
        ),
    ),
)
