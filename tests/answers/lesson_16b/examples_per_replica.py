"""Answers to examples_per_replica."""

from answers import AnswersTo

answers = AnswersTo("examples_per_replica")


@answers.right("clipped shares")
def clipped(batch, replicas):
    share = -(-batch // replicas)
    return [max(0, min(share, batch - place * share)) for place in range(replicas)]


@answers.wrong("shares that differ by at most one", "correct")
def as_even_as_possible(batch, replicas):
    return [batch // replicas + (place < batch % replicas) for place in range(replicas)]


answers.wrong("an example too many in an empty batch", "correct", says="no examples")(
    lambda batch, replicas: clipped(max(1, batch), replicas)
)


@answers.wrong("an addition of 0.999 instead of rounding up", "correct", says="20,001 examples")
def with_an_addition(batch, replicas):
    share = int(batch / replicas + 0.999)
    return [max(0, min(share, batch - place * share)) for place in range(replicas)]


answers.wrong("counts in uint16", "correct", says="2²⁴ + 1 examples")(
    lambda batch, replicas: [count % 2**16 for count in clipped(batch, replicas)]
)
