"""Answers to record_days."""

import torch

from answers import AnswersTo

answers = AnswersTo("record_days")


@answers.wrong(line="correct", says="of all days")
def the_records_of_all_days(marks):
    return marks == marks.amax(0)


@answers.wrong(line="correct", says="counts, too")
def only_where_it_is_broken(marks):
    return torch.cat([marks[:1] < marks[:1], marks[1:] > marks.cummax(0).values[:-1]])
