"""Practice: the pairs of foreground pixels that touch, the edges of a graph in which a pipeline searches for
components."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task


def pairs_below_slow(masks):
    """Return the positions of each foreground pixel and of the foreground pixel below it, as two vectors of int32."""
    images, height, width = masks.shape
    upper, lower = [], []
    masks = masks.numpy()
    for i in range(images):
        for y in range(height - 1):
            for x in range(width):
                if masks[i, y, x] and masks[i, y + 1, x]:
                    position = (i * height + y) * width + x
                    upper.append(position)
                    lower.append(position + width)
    return tf.constant(upper, tf.int32), tf.constant(lower, tf.int32)


def _masks(generator, *shape, share=0.6):
    return tf.constant(generator.random(shape) < share)


def _in_rows(masks, shift):
    """Return pairs with the pixel on the right instead, and with positions that are too large by ``shift``."""
    positions = tf.reshape(tf.range(tf.size(masks)), tf.shape(masks))
    both = masks[:, :, :-1] & masks[:, :, 1:]
    return tf.boolean_mask(positions[:, :, :-1], both) + shift, tf.boolean_mask(positions[:, :, 1:], both) + shift


def _in_image(masks):
    """Return positions that start again in each image."""
    upper, lower = pairs_below_slow(masks)
    pixels = masks.shape[1] * masks.shape[2]
    return upper % pixels, lower % pixels


TASK = Task(
    id="pairs_below",
    title="Pixels that touch",
    points=0,
    level=1,
    framework="tensorflow",
    slow=pairs_below_slow,
    inputs=lambda size, generator: (_masks(generator, size + 1, size, size + 1),),
    sizes=(1, 2, 3, 5),
    count_sizes=(3, 16),
    edge_cases=(
        Case("masks without foreground", lambda _: (tf.zeros([2, 3, 4], tf.bool),)),
        Case("masks that are all foreground", lambda _: (tf.ones([2, 3, 4], tf.bool),)),
        Case("72,000 pixels", lambda g: (_masks(g, 4, 180, 100),)),
        Case("5,000 masks of four pixels", lambda g: (_masks(g, 5000, 2, 2),)),
        Case("masks of a single row", lambda g: (_masks(g, 2, 1, 5),)),
        Case("masks of a single column", lambda g: (_masks(g, 2, 5, 1),)),
    ),
    worst="Each pair depends on two pixels, and the random masks hold all four combinations.",
    limits=(at_most(50, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake("These are pairs of a pixel and the one on its right: take the one below.", lambda m: _in_rows(m, 0)),
        Mistake("The positions start again in each image: count them over the whole batch.", _in_image),
        Mistake(
            "The lower pixels come first: return the upper pixels first.", lambda masks: pairs_below_slow(masks)[::-1]
        ),
    ),
)
