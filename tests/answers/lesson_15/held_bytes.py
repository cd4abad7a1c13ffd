"""Answers to held_bytes."""

import math

from answers import AnswersTo

answers = AnswersTo("held_bytes")

MIB = 2**20


def _segment(request):
    if request <= MIB:
        return 2 * MIB
    return 20 * MIB if request < 10 * MIB else math.ceil(request / (2 * MIB)) * 2 * MIB


@answers.right("tensors in a segment, rounded up")
def whole_segments(size, count):
    request = -(-size // 512) * 512
    segment = _segment(request)
    return math.ceil(count / (segment // request)) * segment


@answers.right("each tensor takes from the last segment")
def one_by_one(size, count):
    request = -(-size // 512) * 512
    held = free = 0
    while count > 0:
        if free < request:
            free = _segment(request)
            held += free
        free -= request
        count -= 1
    return held


@answers.wrong("all bytes over the bytes of a segment", "correct", says="span two segments here")
def all_bytes(size, count):
    request = -(-size // 512) * 512
    return math.ceil(size * count / _segment(request)) * _segment(request)


@answers.wrong("a segment for each tensor", "correct", says="a segment of its own")
def own_segments(size, count):
    return count * _segment(-(-size // 512) * 512)


@answers.wrong("one segment more if the last one is full", "correct")
def one_more(size, count):
    request = -(-size // 512) * 512
    return (count // (_segment(request) // request) + 1) * _segment(request)


@answers.wrong("rounded to 4,096 bytes", "correct", says="4,097 tensors")
def pages(size, count):
    return whole_segments(-(-size // 4096) * 4096, count)


@answers.wrong("requests of 9 MB or more rounded up to a multiple of 2 MB", "correct", says="512 bytes less than 10 MB")
def large_from_9_mb(size, count):
    request = -(-size // 512) * 512
    segment = -(-request // (2 * MIB)) * 2 * MIB if request >= 9 * MIB else _segment(request)
    return math.ceil(count / (segment // request)) * segment
