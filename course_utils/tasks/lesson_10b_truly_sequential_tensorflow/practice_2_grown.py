"""Practice of a loop in a graph: many islands over many years, with one call from Python."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform


def grown_slow(start, growth):
    """Return the populations after all years: y becomes rate · y · (1 − y) for each rate in growth."""
    islands = []
    for population in start:
        for rate in growth:
            population = rate * population * (1.0 - population)
        islands.append(population)
    return tf.stack(islands)


def _grown(start, growth):
    for rate in growth:
        start = rate * start * (1.0 - start)
    return start


TASK = Task(
    id="grown",
    title="All islands, in one graph",
    points=0,
    level=1,
    framework="tensorflow",
    slow=grown_slow,
    inputs=lambda size, generator: (uniform(generator, 0.1, 0.9, size), uniform(generator, 1.5, 2.9, 7)),
    edge_cases=(
        Case("one year for 300 islands", lambda g: (uniform(g, 0.1, 0.9, 300), uniform(g, 1.5, 2.9, 1))),
        Case("300 years", lambda g: (uniform(g, 0.1, 0.9, 1), uniform(g, 1.5, 2.9, 300))),
        Case(
            "float64 values",
            lambda g: (uniform(g, 0.1, 0.9, 3, dtype=tf.float64), uniform(g, 1.5, 2.9, 4, dtype=tf.float64)),
        ),
        Case("a population above 1", lambda g: (tf.constant([1.2, 0.5]), uniform(g, 1.5, 2.9, 3))),
        Case("populations of about 1e-12", lambda g: (uniform(g, 1e-12, 3e-12, 3), uniform(g, 1.5, 2.9, 3))),
    ),
    worst=(
        Case("rates near 4, where small differences grow", lambda g: (uniform(g, 0.1, 0.9, 3), tf.constant([3.9] * 5))),
    ),
    count_sizes=(4, 16),
    story=prose(
        """
        Write `grown(start, growth)` for at least one island and one year, in float32 or float64, as one call of a graph.
        Inputs of another shape may be traced again.
        """
    ),
    limits=(at_most(200, "ops"), at_most(2, "launches"), at_most(0, "syncs"), at_most(1, "traces")),
    hints=items(
        """
        - Put `@tf.function` above the function. Inside it, `for rate in growth:` becomes a loop in the graph, because
          `growth` is a tensor, and `start` may be the whole vector.
        """
    ),
    mistakes=(
        Mistake(
            "The last year is missing: apply every rate in `growth`.", lambda start, growth: _grown(start, growth[:-1])
        ),
        Mistake(
            "This is the last year only: each year continues from the year before.", lambda s, g: _grown(s, g[-1:])
        ),
        Mistake("The factor 1 − y is missing: multiply by it.", lambda s, g: s * tf.reduce_prod(g)),
    ),
    sources=("S0.1",),
)
