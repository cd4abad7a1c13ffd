"""Answers to bytes_for_rows."""

from answers.table import right, wrong


@right()
def read_and_written(rows):
    return 4 * (3 * rows) + 4 * rows


@wrong("the result forgotten", line="correct", says="The result must be written too")
def reads_only(rows):
    return 3 * rows * 4


@wrong("numbers counted", line="correct", says="each of them has four bytes")
def numbers(rows):
    return 4 * rows
