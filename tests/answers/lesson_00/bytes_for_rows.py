"""Answers to bytes_for_rows."""

from answers import AnswersTo

answers = AnswersTo("bytes_for_rows")


@answers.right()
def read_and_written(rows):
    return 4 * (3 * rows) + 4 * rows


@answers.wrong("the result forgotten", line="correct", says="The result must be written too")
def reads_only(rows):
    return 3 * rows * 4


@answers.wrong("numbers counted", line="correct", says="each of them has four bytes")
def numbers(rows):
    return 4 * rows
