"""Practice of a loop inside the graph: one graph for series of any length."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import random_case
from course_utils.tasks.tensorflow_inputs import normal


def state_after_all_slow(x):
    """Return the state after all rows of x (rows, 3): it starts at 0; each row halves it and is then added."""
    state = tf.zeros_like(x[0])
    for row in x:
        state = 0.5 * state + row
    return state


def _weighted_sum(x):
    """Return the state as the sum of all rows, each halved once for every row after it."""
    later_rows = tf.range(len(x) - 1, -1, -1, dtype=x.dtype)
    return tf.linalg.matvec(x, tf.constant(0.5, x.dtype) ** later_rows, transpose_a=True)


def _rows(size, generator):
    """Return a random number of rows, which rarely repeats, so an answer traced per length must trace again."""
    return (normal(generator, size + int(generator.integers(9 * size)), 3),)


TASK = Task(
    id="state_after_all",
    title="A loop in the graph",
    points=0,
    level=1,
    framework="tensorflow",
    slow=state_after_all_slow,
    reference=_weighted_sum,
    inputs=_rows,
    edge_cases=(random_case("one row", 1, 3),),
    # An answer without a loop may overflow with powers of 2 that grow with the rows.
    worst=(
        random_case("three hundred rows", 300, 3),
        random_case("five thousand rows", 5000, 3),
        Case(
            "120 rows, the first of which is large",
            lambda g: (tf.concat([tf.fill([1, 3], 1e38), normal(g, 119, 3)], 0),),
        ),
    ),
    sizes=(2, 5),
    count_sizes=(3, 6),
    limits=(at_most(1, "launches"), at_most(0, "syncs"), at_most(1, "traces")),
    mistakes=(
        Mistake(
            "This is the plain sum of the rows: each step halves the state first.", lambda x: tf.reduce_sum(x, axis=0)
        ),
        Mistake(
            "Each row is halved once too often: halve the state before you add the row, not afterward.",
            lambda x: 0.5 * state_after_all_slow(x),
        ),
    ),
)
