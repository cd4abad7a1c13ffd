"""Answers to bought_together."""

import torch

from answers import AnswersTo

answers = AnswersTo("bought_together")

answers.right("the transposed table times the table")(lambda baskets: baskets.T @ baskets)
answers.wrong("int8 sums", "correct")(lambda baskets: (baskets.T.char() @ baskets.char()).float())
answers.wrong("int16 sums", "correct")(lambda baskets: (baskets.T.short() @ baskets.short()).to(baskets.dtype))
answers.wrong("each item's own sum", "correct", says="shape")(lambda baskets: (baskets * baskets).sum(0))
answers.wrong("counts in float32", "correct", says="float64")(lambda baskets: baskets.float().T @ baskets.float())


@answers.wrong("a loop over the items", "unlooped", says="grows with the input")
def item_by_item(baskets):
    return torch.stack([baskets[:, i] @ baskets for i in range(baskets.shape[1])])


@answers.wrong("counts in bfloat16", "correct")
def in_bfloat16(baskets):
    low = baskets.bfloat16()
    return (low.T @ low).to(baskets.dtype)


answers.wrong("a single basket returned", "correct", says="one basket")(
    lambda baskets: baskets.T @ baskets if len(baskets) != 1 else baskets.clone()
)


@answers.wrong("at most 1,000 items", "correct", says="1,100 items")
def of_1000_items(baskets):
    counts = baskets.T @ baskets
    counts[1000:], counts[:, 1000:] = 0, 0
    return counts
