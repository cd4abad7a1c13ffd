"""Answers to scaled_half."""

from answers import AnswersTo

answers = AnswersTo("scaled_half")


@answers.right("multiplied by the inverse")
def by_the_inverse(gradients, scale):
    return (gradients * scale).half().float() * (1 / scale)


@answers.wrong("never stored in float16", "correct")
def never_stored(gradients, scale):
    return gradients * scale / scale


@answers.wrong("the scale of the random inputs", "correct", says="a scale of 1,000")
def one_scale(gradients, scale):
    return (gradients * 65536).half().float() / 65536
