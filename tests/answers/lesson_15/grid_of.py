"""Answers to grid_of."""

from answers import AnswersTo

answers = AnswersTo("grid_of")


@answers.right("with divmod")
def with_divmod(n, block):
    full, rest = divmod(n, block)
    return full + bool(rest), block - rest if rest else 0


@answers.wrong("swapped", "correct")
def swapped(n, block):
    return with_divmod(n, block)[::-1]
