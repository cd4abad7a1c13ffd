"""Answers to error_budget."""

from math import ceil, log, log2

from answers import AnswersTo

answers = AnswersTo("error_budget")


@answers.right("with a logarithm")
def by_logarithm(terms, unit_roundoff):
    return (terms - 1) * unit_roundoff, ceil(log2(terms)) * unit_roundoff


@answers.wrong("a logarithm to the base 10", "correct")
def to_the_base_10(terms, unit_roundoff):
    return (terms - 1) * unit_roundoff, len(str(terms)) * unit_roundoff


answers.wrong("a quotient of logarithms", "correct", says="quotient of logarithms is above 29")(
    lambda terms, unit_roundoff: ((terms - 1) * unit_roundoff, ceil(log(terms) / log(2)) * unit_roundoff)
)

answers.wrong("at most 20 rounds", "correct", says="5 million terms")(
    lambda terms, unit_roundoff: ((terms - 1) * unit_roundoff, min((terms - 1).bit_length(), 20) * unit_roundoff)
)
