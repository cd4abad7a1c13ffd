"""Answers to padding_mask."""

import torch

from answers import AnswersTo

answers = AnswersTo("padding_mask")


@answers.right("one comparison")
def by_comparison(lengths, longest):
    return torch.arange(longest, device=lengths.device) >= lengths[:, None]


answers.wrong("transposed", "correct")(lambda lengths, longest: torch.arange(longest)[:, None] >= lengths)


@answers.wrong("a loop over texts", "unlooped")
def row_by_row(lengths, longest):
    places = torch.arange(longest, device=lengths.device)
    return torch.stack([places >= length for length in lengths])


@answers.wrong("a loop over the positions", "unlooped", says="grows with the input")
def position_by_position(lengths, longest):
    return torch.stack([lengths <= position for position in range(longest)], 1)


answers.wrong("the first 4,096 positions only", "correct", says="4,097 words")(
    lambda lengths, longest: by_comparison(lengths.clamp(max=4096), longest)
)
answers.wrong("positions in int16", "correct", says="33,000 words")(
    lambda lengths, longest: torch.arange(longest, device=lengths.device).to(torch.int16) >= lengths[:, None]
)
