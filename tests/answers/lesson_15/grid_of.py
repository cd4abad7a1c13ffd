"""Answers to grid_of."""

import math
import struct

from answers import AnswersTo

answers = AnswersTo("grid_of")


@answers.right("with divmod")
def with_divmod(n, block):
    full, rest = divmod(n, block)
    return full + bool(rest), block - rest if rest else 0


@answers.wrong("values swapped", "correct")
def swapped(n, block):
    return with_divmod(n, block)[::-1]


@answers.wrong("a float32 quotient", "correct", says="float32 rounds")
def by_float32(n, block):
    programs = math.ceil(struct.unpack("f", struct.pack("f", n))[0] / block)
    return programs, -n % block
