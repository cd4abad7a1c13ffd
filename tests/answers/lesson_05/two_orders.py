"""Answers to two_orders."""

from answers import AnswersTo

answers = AnswersTo("two_orders")


@answers.right()
def by_hand(p, q, r, s):
    return p * q * r + p * r * s, q * r * s + p * q * s


@answers.wrong("the right order first", "correct", says="left order comes first")
def right_order_first(p, q, r, s):
    return q * r * s + p * q * s, p * q * r + p * r * s


@answers.wrong("one product each", "correct", says="two products")
def one_product_each(p, q, r, s):
    return p * q * r, q * r * s


@answers.wrong("flops", "correct", says="multiplications alone")
def flops(p, q, r, s):
    return 2 * (p * q * r + p * r * s), 2 * (q * r * s + p * q * s)


@answers.wrong("sizes of the results", "correct", says="not the multiplications")
def numbers_made(p, q, r, s):
    return p * r + p * s, q * s + p * s
