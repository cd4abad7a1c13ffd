"""Answers to expert_load."""

import torch

from answers import AnswersTo

answers = AnswersTo("expert_load")

answers.right("counted in bins")(lambda chosen, experts: torch.bincount(chosen, minlength=experts))


@answers.right()
def ones_added(chosen, experts):
    return torch.zeros(experts, dtype=torch.int64, device=chosen.device).index_add(0, chosen, torch.ones_like(chosen))


@answers.wrong("a loop over experts", "unlooped")
def expert_by_expert(chosen, experts):
    return torch.stack([(chosen == expert).sum() for expert in range(experts)])
