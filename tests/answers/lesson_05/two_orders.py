"""Answers to two_orders."""

import numpy as np
import torch

from answers import AnswersTo

answers = AnswersTo("two_orders")


@answers.right("the formula")
def by_hand(p, q, r, s):
    return p * q * r + p * r * s, q * r * s + p * q * s


@answers.wrong("int32", "correct")
def in_32_bits(*sides):
    return tuple(map(int, by_hand(*np.array(sides, dtype=np.int32))))


@answers.wrong("float32", "correct")
def in_float32(*sides):
    return tuple(map(int, torch.tensor(by_hand(*sides), dtype=torch.float32)))


@answers.wrong("floats", "correct", says="is the float")
def as_floats(*sides):
    return tuple(map(float, by_hand(*sides)))


answers.wrong("counted in floats", "correct", says="more multiplications than float64 can count")(
    lambda p, q, r, s: (int(float(p) * r * (q + s)), int(float(q) * s * (r + p)))
)
