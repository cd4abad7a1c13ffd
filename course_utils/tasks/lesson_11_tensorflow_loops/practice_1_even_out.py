"""Practice: a map over rows that becomes two operations on a matrix."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import fixed_case, float64, random_case
from course_utils.tasks.tensorflow_inputs import normal


def even_out_slow(channels):
    """Return each channel divided by its largest absolute sample, computed channel by channel."""
    return tf.map_fn(lambda channel: channel / tf.reduce_max(tf.abs(channel)), channels)


TASK = Task(
    id="even_out",
    title="A map over channels",
    points=0,
    level=1,
    framework="tensorflow",
    slow=even_out_slow,
    reference=lambda channels: channels / tf.reduce_max(tf.abs(channels), axis=1, keepdims=True),
    inputs=lambda size, generator: (normal(generator, size, size + 1),),
    edge_cases=(
        random_case("one channel of one sample", 1, 1),
        random_case("as many channels as samples", 3, 3),
        fixed_case("a loudest sample that is negative", [[-4.0, 1.0, 2.0], [0.5, 0.25, -0.125]]),
        fixed_case("a silent channel", [[0.0, 0.0, 0.0], [1.0, -2.0, 0.5]]),
        float64(3, 4),
        Case("5,000 samples that get louder", lambda _: (tf.linspace([0.1, -0.2], [1.0, -2.0], 5000, axis=1),)),
        random_case("5,000 channels", 5000, 2),
        Case("samples of about 1e-30", lambda g: (normal(g, 2, 4, scale=1e-30),)),
        Case("samples of about 1e30", lambda g: (normal(g, 2, 4, scale=1e30),)),
    ),
    worst="Each channel has its own maximum, whatever the other channels are.",
    sizes=(2, 5),
    count_sizes=(4, 16),
    story=prose(
        "The channels of a recording should have equal peak levels. Write `even_out(channels)` without a map. A silent channel becomes NaN."
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "All channels are divided by the maximum over all channels: each channel has its own maximum.",
            lambda c: c / tf.reduce_max(tf.abs(c)),
        ),
        Mistake(
            "The loudest sample may be negative: apply `tf.abs` before the maximum.",
            lambda c: c / tf.reduce_max(c, axis=1, keepdims=True),
        ),
        Mistake(
            "The maximum runs over the channels: take it over each channel's samples, `axis=1`.",
            lambda c: c / tf.reduce_max(tf.abs(c), axis=0),
        ),
    ),
)
