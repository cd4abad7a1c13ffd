"""Answers to expert_load."""

import torch

from answers.table import right, wrong


@right()
def counted_in_bins(chosen, experts):
    return torch.bincount(chosen, minlength=experts)


@right()
def ones_added(chosen, experts):
    return torch.zeros(experts, dtype=torch.int64, device=chosen.device).index_add(0, chosen, torch.ones_like(chosen))


@wrong(line="correct", says="say how many there are")
def without_the_last(chosen, experts):
    return torch.bincount(chosen)


@wrong(line="correct", says="only one is kept")
def ones_written(chosen, experts):
    load = torch.zeros(experts, dtype=torch.int64, device=chosen.device)
    load[chosen] += 1
    return load


@wrong("a loop over experts", "unlooped")
def expert_by_expert(chosen, experts):
    return torch.stack([(chosen == expert).sum() for expert in range(experts)])
