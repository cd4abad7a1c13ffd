"""Answers to expert_load."""

import torch

from answers import AnswersTo

answers = AnswersTo("expert_load")


@answers.right()
def counted_in_bins(chosen, experts):
    return torch.bincount(chosen, minlength=experts)


@answers.right()
def ones_added(chosen, experts):
    return torch.zeros(experts, dtype=torch.int64, device=chosen.device).index_add(0, chosen, torch.ones_like(chosen))


@answers.wrong(line="correct", says="say how many there are")
def without_the_last(chosen, experts):
    return torch.bincount(chosen)


@answers.wrong(line="correct", says="only one is kept")
def ones_written(chosen, experts):
    load = torch.zeros(experts, dtype=torch.int64, device=chosen.device)
    load[chosen] += 1
    return load


@answers.wrong("a loop over experts", "unlooped")
def expert_by_expert(chosen, experts):
    return torch.stack([(chosen == expert).sum() for expert in range(experts)])
