"""Answers to sharded_bytes."""

from answers import AnswersTo

answers = AnswersTo("sharded_bytes")


@answers.right("two formulas")
def two_formulas(parameters, workers):
    return 16 * parameters / workers, 3 * (workers - 1) / workers * 4 * parameters


@answers.wrong("no sharding", "correct")
def nothing_sharded(parameters, workers):
    return 16.0 * parameters, 12 * parameters * (workers - 1) / workers


answers.wrong("32-bit integers", "correct", says="70 billion parameters")(
    lambda parameters, workers: two_formulas(parameters & (2**32 - 1), workers)
)

answers.wrong("parameters in thousands", "correct", says="fewer parameters than workers")(
    lambda parameters, workers: two_formulas(parameters // 1000 * 1000, workers)
)
