"""Answers to bought_together."""

import torch

from answers import AnswersTo

answers = AnswersTo("bought_together")


@answers.right("a table turned, times itself")
def by_product(baskets):
    return baskets.T @ baskets


@answers.right("einsum")
def by_einsum(baskets):
    return torch.einsum("bi,bj->ij", baskets, baskets)


@answers.wrong("baskets with baskets", "correct", says="the columns on the left")
def of_baskets(baskets):
    return baskets @ baskets.T


@answers.wrong("each item by itself", "correct", says="shape")
def each_by_itself(baskets):
    return (baskets * baskets).sum(0)


@answers.wrong("a loop over the items", "unlooped", says="grows with the input")
def item_by_item(baskets):
    return torch.stack([baskets[:, i] @ baskets for i in range(baskets.shape[1])])
