"""Practice: one round of hooking in TensorFlow, a scatter with a minimum."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task


def hooked_pairs_slow(roots, one, other):
    """Return the parents after each pair hooked its larger root to its smaller one; a root gets its smallest parent."""
    parents = roots.numpy().tolist()
    for a, b in zip(one.numpy().tolist(), other.numpy().tolist()):
        parents[max(a, b)] = min(parents[max(a, b)], a, b)
    return tf.constant(parents, tf.int32)


def _pairs(generator, size, count):
    return (
        tf.range(size),
        tf.constant(generator.integers(0, size, count), tf.int32),
        tf.constant(generator.integers(0, size, count), tf.int32),
    )


def _case(name, size, one, other):
    return Case(name, lambda _: (tf.range(size), tf.constant(one, tf.int32), tf.constant(other, tf.int32)))


def _last_one(roots, one, other):
    parents = roots.numpy().tolist()
    for a, b in zip(one.numpy().tolist(), other.numpy().tolist()):
        parents[max(a, b)] = min(a, b)
    return tf.constant(parents, tf.int32)


def _upwards(roots, one, other):
    return tf.tensor_scatter_nd_max(roots, tf.minimum(one, other)[:, None], tf.maximum(one, other))


TASK = Task(
    id="hooked_pairs",
    title="Hook pairs of roots",
    points=0,
    level=1,
    framework="tensorflow",
    slow=hooked_pairs_slow,
    inputs=lambda size, generator: _pairs(generator, size, 2 * size),
    edge_cases=(
        _case("no pairs", 4, [], []),
        _case("two pairs with the same larger root", 5, [4, 2], [1, 4]),
        _case("a pair of equal roots", 3, [2], [2]),
        # float16 represents only every second integer above 2,048, and int32 no product of 70,000 and a root near it.
        _case("70,000 roots", 70_000, [3001, 2049, 69_999], [2999, 2051, 69_997]),
        _case("5,000 pairs", 5001, [*range(1, 5001)], [*range(5000)]),
    ),
    worst=(_case("40 pairs with the same larger root", 41, [40] * 40, [*range(20, 40), *range(20)]),),
    limits=(at_most(60, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "If several pairs share a larger root, the last pair counts here: take the smallest of the smaller roots.",
            _last_one,
        ),
        Mistake("The smaller root got the larger one as its parent: hook the larger one to the smaller one.", _upwards),
    ),
)
