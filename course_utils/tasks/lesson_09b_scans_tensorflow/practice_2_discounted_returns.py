"""Practice of doubling: discounted returns, a decayed sum from the last row to the first."""

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import float64, random_case
from course_utils.tasks.tensorflow_inputs import normal


def discounted_returns_slow(rewards, discount):
    """Return the discounted return of each row: its rewards plus discount times the return of the next row."""
    rows = [rewards[-1]]
    for t in range(len(rewards) - 2, -1, -1):
        rows.append(rewards[t] + discount * rows[-1])
    return tf.stack(rows[::-1])


def _one_round(rewards, discount):
    return tf.concat([rewards[:-1] + discount * rewards[1:], rewards[-1:]], axis=0)


def _forward(rewards, discount):
    return discounted_returns_slow(rewards[::-1], discount)[::-1]


TASK = Task(
    id="discounted_returns",
    title="Discounted returns, by doubling",
    points=0,
    level=1,
    framework="tensorflow",
    slow=discounted_returns_slow,
    inputs=lambda size, generator: (normal(generator, size, 2 + size // 8), 0.9),
    edge_cases=(
        random_case("one row", 1, 3, rest=(0.9,)),
        random_case("300 columns", 3, 300, rest=(0.9,)),
        random_case("a discount of 1e-10", 5, 2, rest=(1e-10,)),
        random_case("a discount above 1", 5, 2, rest=(1.5,)),
        float64(5, 2, rest=(0.5,)),
        Case("a discount of 0", lambda g: (normal(g, 5, 2), 0.0)),
        Case("a discount of 1", lambda g: (normal(g, 5, 2), 1.0)),
        Case("a negative discount", lambda g: (normal(g, 6, 2), -0.5)),
        Case("a reward of 1e30 in each column", lambda _: (tf.constant([[1.0, 2.0], [1e30, 3.0], [4.0, -1e30]]), 0.5)),
    ),
    count_sizes=(8, 128),
    worst=(
        Case("values of about 1e-12", lambda g: (normal(g, 5, 2, scale=1e-12), 0.5)),
        Case(
            "2,049 rows that hardly fade, with the largest reward last",
            lambda g: (tf.concat([normal(g, 2048, 1), [[1000.0]]], 0), 0.9997),
        ),
    ),
    limits=(at_most(80, "ops"), at_most(0, "syncs")),  # Seven rounds for 128 rows.
    mistakes=(
        Mistake("This is only the first round of doubling: double k until it covers all rows.", _one_round),
        Mistake("The sum runs forward: row t needs the rows after it.", _forward),
        Mistake(
            "The discount is missing: multiply the return of the next row by it.",
            lambda rewards, discount: discounted_returns_slow(rewards, 1.0),
        ),
    ),
)
