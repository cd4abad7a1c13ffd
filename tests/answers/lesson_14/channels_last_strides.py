"""Answers to channels_last_strides."""

from answers import AnswersTo

answers = AnswersTo("channels_last_strides")


@answers.right("strides from the last axis to the first")
def from_the_inside_out(images, channels, height, width):
    column = channels
    row = width * column
    return height * row, 1, row, column


@answers.wrong("in bytes of float32", "correct")
def in_bytes(images, channels, height, width):
    return tuple(4 * stride for stride in from_the_inside_out(images, channels, height, width))


answers.wrong("strides of 32 bits", "correct", says="large images")(
    lambda images, channels, height, width: (min(channels * height * width, 2**31 - 1), 1, channels * width, channels)
)
