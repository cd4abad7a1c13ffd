"""Answers to group_spread."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("group_spread")


@answers.right()
def largest_minus_smallest(values, labels, groups):
    largest = tf.math.unsorted_segment_max(values, labels, groups)
    return largest - tf.math.unsorted_segment_min(values, labels, groups)


@answers.wrong("segment operations on sorted labels", "correct")
def sorted_segments(values, labels, groups):
    labels = tf.sort(labels)
    return tf.math.segment_max(values, labels) - tf.math.segment_min(values, labels)


@answers.wrong("a loop over groups", "unlooped")
def group_by_group(values, labels, groups):
    members = [tf.boolean_mask(values, labels == group) for group in range(groups)]
    return tf.stack([tf.reduce_max(each) - tf.reduce_min(each) for each in members])
