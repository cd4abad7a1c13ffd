"""Answers to segment_bytes."""

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
