"""Answers to scaled_half."""

from answers import AnswersTo

answers = AnswersTo("scaled_half")


@answers.right("multiplied by the inverse")
def by_the_inverse(gradients, scale):
    return (gradients * scale).half().float() * (1 / scale)


@answers.wrong("never stored in float16", "correct")
def never_stored(gradients, scale):
    return gradients * scale / scale
