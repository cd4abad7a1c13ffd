"""Practice of XLA: a chain of cheap operations as one compiled graph, traced once for all limits."""

from __future__ import annotations

from math import inf

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.at_most_graphs import CompiledByXla
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Mistake, Task
from course_utils.tasks.tensorflow_cases import fixed_case, random_case
from course_utils.tasks.tensorflow_inputs import normal


def shrunk_by_xla_slow(x, limit):
    """Return each value of the vector x moved toward 0 by limit, or 0 if it would cross 0."""
    values = [max(abs(float(value)) - limit, 0.0) * (1 if value > 0 else -1) for value in x.numpy()]
    return tf.constant(values, x.dtype)


TASK = Task(
    id="shrunk_by_xla",
    title="Shrink, compiled",
    points=0,
    level=1,
    framework="tensorflow",
    slow=shrunk_by_xla_slow,
    reference=lambda x, limit: tf.sign(x) * tf.maximum(tf.abs(x) - limit, 0.0),
    inputs=lambda size, generator: (normal(generator, size), float(generator.uniform(0.1, 0.9))),
    edge_cases=(
        random_case("an integer limit", 3, rest=(1,)),
        fixed_case("infinity, zero and a limit of 0", [inf, 0.0, -2.0, -inf], rest=(0.0,)),
        random_case("5,000 values and a limit of 3", 5000, rest=(3.0,)),
        fixed_case("small values and a small limit", [3e-7, -5e-7, 1e-7, 0.0], rest=(2e-7,)),
    ),
    worst="Each value depends on one value of `x`; the limits differ in each call.",
    story=prose(
        """
        Write `shrunk_by_xla(x, limit)` as one graph that XLA compiles, traced once for all limits. `limit` is a Python
        number, 0 or more, and no value is NaN.
        """
    ),
    limits=(at_most(14, "ops"), at_most(2, "launches"), at_most(0, "syncs"), at_most(1, "traces"), CompiledByXla()),
    mistakes=(
        Mistake(
            "The sign is lost: multiply by the sign of `x`.",
            lambda x, limit: tf.nn.relu(tf.abs(x) - limit),
        ),
        Mistake(
            "The values beyond the limit are unchanged: move them toward 0 by `limit`.",
            lambda x, limit: tf.where(tf.abs(x) > limit, x, 0.0),
        ),
    ),
)
