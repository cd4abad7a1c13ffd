"""Practice: images from channels first to channels last, by a transpose and not by a reshape."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import random_case
from course_utils.tasks.tensorflow_inputs import integers, normal


def to_channels_last_slow(images):
    """Return the images of shape (n, channels, height, width) in the shape (n, height, width, channels)."""
    return tf.stack([tf.stack(list(image), axis=-1) for image in images])


TASK = Task(
    id="to_channels_last",
    title="From NCHW to NHWC",
    points=0,
    level=1,
    framework="tensorflow",
    slow=to_channels_last_slow,
    reference=lambda images: tf.transpose(images, [0, 2, 3, 1]),
    inputs=lambda size, generator: (normal(generator, size, 3, 4, 5),),
    tolerance=0,
    edge_cases=(
        random_case("a single channel", 2, 1, 3, 4),
        random_case("two channels", 2, 2, 3, 4),
        random_case("as many channels as rows and columns", 2, 3, 3, 3),
        random_case("six channels, seven rows and eight columns", 2, 6, 7, 8),
        random_case("5,000 images", 5000, 2, 1, 1),
        random_case("float64 values", 2, 3, 4, 5, dtype=tf.float64),
        Case("pixels in eight bits", lambda g: (integers(g, 0, 256, 2, 3, 4, 5, dtype=tf.uint8),)),
    ),
    worst="A layout changes no value.",
    limits=(at_most(2, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "A reshape leaves the values in their order, so pixels and channels are mixed: use `tf.transpose`.",
            lambda images: tf.reshape(images, [len(images), *images.shape[2:], images.shape[1]]),
        ),
        Mistake(
            "This permutation is the way back: `perm` names, for each new axis, the old one.",
            lambda images: tf.transpose(images, [0, 3, 1, 2]),
        ),
        Mistake(
            "Rows and columns are swapped: the order is image, row, column, channel.",
            lambda images: tf.transpose(images, [0, 3, 2, 1]),
        ),
    ),
)
