"""Answers to segment_bytes."""

import math

import numpy as np

from answers import AnswersTo

answers = AnswersTo("segment_bytes")


@answers.right("with conditions")
def with_conditions(request):
    if request <= 2**20:
        return 2 * 2**20
    if request <= 10 * 2**20 - 512:
        return 20 * 2**20
    return -(-request // 2**21) * 2**21


@answers.wrong("the rounded request", "correct")
def rounded(request):
    return -(-request // 512) * 512


@answers.wrong("a float32 request", "correct", says="float32 rounds")
def request_in_float32(request):
    if request <= 10 * 2**20 - 512:
        return with_conditions(request)
    return math.ceil(float(np.float32(request)) / 2**21) * 2**21


@answers.wrong("rounded to 4,096 bytes", "correct", says="512 bytes less than 10 MB")
def rounded_to_pages(request):
    return with_conditions(-(-request // 4096) * 4096)


@answers.wrong("a float32 quotient", "correct", says="8 GB")
def quotient_in_float32(request):
    rounded = -(-request // 512) * 512
    return with_conditions(request) if rounded < 10 * 2**20 else math.ceil(np.float32(rounded) / 2**21) * 2**21
