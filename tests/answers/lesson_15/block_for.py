"""Answers to block_for."""

from math import ceil, log, log2

import numpy as np

from answers import AnswersTo

answers = AnswersTo("block_for")


@answers.right("with a logarithm")
def by_logarithm(bytes_per_s, latency_s, programs, itemsize):
    values = bytes_per_s * latency_s / (programs * itemsize)
    return 2 ** max(0, ceil(log2(values)))


@answers.wrong("not a power of two", "correct")
def any_number(bytes_per_s, latency_s, programs, itemsize):
    return ceil(bytes_per_s * latency_s / (programs * itemsize))


@answers.wrong("values per program rounded down", "correct")
def whole_values(bytes_per_s, latency_s, programs, itemsize):
    values = int(bytes_per_s * latency_s) // (programs * itemsize)
    return 1 << max(0, values - 1).bit_length()


@answers.wrong("bytes without their fraction", "correct", says="half a byte more")
def whole_bytes(bytes_per_s, latency_s, programs, itemsize):
    values = -(-int(bytes_per_s * latency_s) // (programs * itemsize))
    return 1 << max(values - 1, 0).bit_length()


@answers.wrong("a power of two of bytes", "correct", says="3 bytes")
def power_of_two_bytes(bytes_per_s, latency_s, programs, itemsize):
    block = 1
    while programs * block < bytes_per_s * latency_s:
        block += block
    return max(1, block // itemsize)


@answers.wrong("values in float32", "correct", says="one byte more than 1 GB")
def values_in_float32(bytes_per_s, latency_s, programs, itemsize):
    values = np.float32(bytes_per_s * latency_s / (programs * itemsize))
    return 1 << max(ceil(values) - 1, 0).bit_length()


@answers.wrong("a logarithm whose rounding adds 1", "correct", says="quotient of logarithms is above 29")
def by_an_inexact_logarithm(bytes_per_s, latency_s, programs, itemsize):
    return 2 ** max(0, ceil(log(bytes_per_s * latency_s / (programs * itemsize)) / log(2)))
