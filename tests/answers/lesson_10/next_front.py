"""Answers to next_front."""

import torch

from answers import AnswersTo

answers = AnswersTo("next_front")


@answers.right("infinity padded above the first row")
def padded(front, costs):
    return costs + torch.minimum(front, torch.nn.functional.pad(front[:-1], (1, 0), value=torch.inf))


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(front, costs):
    first = costs[:1] + front[:1]
    return torch.cat(
        [first, *(torch.minimum(front[i - 1 : i], front[i : i + 1]) + costs[i : i + 1] for i in range(1, len(front)))]
    )


answers.wrong("the first 4,096 rows only", "correct", says="4,200 rows")(
    lambda front, costs: torch.cat([padded(front[:4096], costs[:4096]), costs[4096:]])
)
