"""Answers to record_days."""

import torch

from answers import AnswersTo

answers = AnswersTo("record_days")

answers.right("maximum equals the mark")(lambda marks: torch.maximum(marks, marks.cummax(0).values) == marks)
answers.wrong("a tolerance of 1e-6", "correct", says="just below")(lambda marks: marks >= marks.cummax(0).values - 1e-6)
answers.wrong("a ratio of 1", "correct", says="marks of 0")(lambda marks: marks.cummax(0).values / marks == 1)
answers.wrong("a squared gap of 0", "correct", says="marks just below")(
    lambda marks: torch.where(marks == marks.cummax(0).values, 0, marks - marks.cummax(0).values).square() == 0
)
answers.wrong("a gap of 0", "correct", says="infinity and NaN")(lambda marks: marks.cummax(0).values - marks == 0)
answers.wrong("no mark below the record", "correct", says="infinity and NaN")(
    lambda marks: ~(marks < marks.cummax(0).values)
)
answers.wrong("compared in float32", "correct", says="float64 marks just below")(
    lambda marks: marks.float() == marks.float().cummax(0).values
)
answers.wrong("a first day that doesn't count", "correct", says="The first day is missing")(
    lambda marks: torch.cat([marks[:1] < marks[:1], marks[1:] >= marks.cummax(0).values[:-1]])
)
answers.wrong("only marks above the record", "correct", says="equal the record are missing")(
    lambda marks: torch.cat([marks[:1] == marks[:1], marks[1:] > marks.cummax(0).values[:-1]])
)


@answers.right("rounds of doubling")
def by_doubling(marks):
    best, reach = marks, 1
    while reach < len(marks):
        best = torch.cat([best[:reach], torch.maximum(best[reach:], best[:-reach])])
        reach *= 2
    return marks >= best


@answers.wrong("a loop over the columns", "unlooped", says="grows with the input")
def column_by_column(marks):
    return torch.stack([column.cummax(0).values for column in marks.T], 1) == marks


@answers.wrong("the record of the first 100 days", "correct", says="after 2,000 days")
def of_100_days(marks):
    records = marks.cummax(0).values
    records[100:] = records[99:100]
    return marks >= records
