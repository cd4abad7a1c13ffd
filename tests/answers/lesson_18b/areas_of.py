"""Answers to areas_of."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("areas_of")


@answers.right("one key for image and label")
def by_keys(labels, slots):
    images = labels.shape[0]
    keys = tf.reshape(labels + slots * tf.range(images)[:, None, None], [-1])
    return tf.reshape(tf.math.unsorted_segment_sum(tf.ones_like(keys), keys, images * slots), [images, slots])


@answers.wrong("keys without the image", "correct")
def without_the_image(labels, slots):
    keys = tf.reshape(labels, [-1])
    counts = tf.math.unsorted_segment_sum(tf.ones_like(keys), keys, slots)
    return tf.tile(counts[None], [labels.shape[0], 1])


@answers.wrong("a loop over labels", "unlooped", says="a loop still runs over it")
def label_by_label(labels, slots):
    return tf.stack([tf.reduce_sum(tf.cast(labels == k, tf.int32), axis=[1, 2]) for k in range(slots)], axis=1)


@answers.right("searchsorted on sorted labels")
def by_search(labels, slots):
    images = len(labels)
    in_order = tf.sort(tf.reshape(labels, [images, -1]), axis=1)
    edges = tf.searchsorted(in_order, tf.tile(tf.range(slots + 1)[None], [images, 1]))
    return edges[:, 1:] - edges[:, :-1]


@answers.wrong("a loop over images", "unlooped", says="the number grows")
def image_by_image(labels, slots):
    rows = [tf.math.bincount(tf.reshape(image, [-1]), minlength=slots) for image in labels]
    return tf.stack(rows) if rows else tf.zeros([0, slots], tf.int32)


@answers.wrong("a sum for each image", "unlooped", says="grows with the input")
def sum_by_sum(labels, slots):
    rows = [tf.reduce_sum(image, [0, 1]) for image in tf.unstack(tf.one_hot(labels, slots, dtype=tf.int32))]
    return tf.stack(rows) if rows else tf.zeros([0, slots], tf.int32)


@answers.wrong("keys with 1,000 labels per image", "correct", says="a label of its own for each pixel")
def keys_of_1000_labels(labels, slots):
    first = 1000 * tf.range(labels.shape[0])[:, None]
    keys = tf.reshape(labels + first[:, :, None], [-1])
    areas = tf.math.unsorted_segment_sum(tf.ones_like(keys), keys, 1000 * labels.shape[0] + slots)
    return tf.gather(areas, first + tf.range(slots))


answers.wrong("at most 100 slots", "correct", says="a label of its own for each pixel")(
    lambda labels, slots: by_keys(tf.where(labels < 100, labels, 0), slots)
)
