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


answers.wrong("shifts for a power of two", "correct", says="not a power of two")(
    lambda n, block: ((n + block - 1) >> (block.bit_length() - 1), -n & (block - 1))
)


@answers.wrong("32-bit integers", "correct", says="32 bits")
def in_32_bits(n, block):
    n &= 2**32 - 1
    return -(-n // block), -n % block


@answers.wrong("0.999 programs more, rounded down", "correct", says="one value more than a block")
def almost_one_more(n, block):
    programs = int(n / block + 0.999)
    return programs, max(0, programs * block - n)


answers.wrong("a half more, rounded to even", "correct", says="fill their blocks exactly")(
    lambda n, block: (round(n / block + 0.5 - 1e-12), -n % block)
)
