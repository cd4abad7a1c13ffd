"""Answers to gain_of_fix."""

from answers import AnswersTo

answers = AnswersTo("gain_of_fix")


@answers.right("by shares")
def by_shares(whole_s, part_s, factor):
    share = part_s / whole_s
    return 1 / (1 - share + share / factor)


@answers.wrong("one plus the saved share", "correct")
def saved_share(whole_s, part_s, factor):
    return 1 + part_s / whole_s * (1 - 1 / factor)


@answers.wrong("a speedup of at least 1", "correct")
def at_least_1(whole_s, part_s, factor):
    return max(1.0, by_shares(whole_s, part_s, factor))


answers.right("both times multiplied by the factor")(
    lambda whole_s, part_s, factor: whole_s * factor / (factor * (whole_s - part_s) + part_s)
)
