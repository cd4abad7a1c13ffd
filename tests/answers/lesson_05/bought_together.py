"""Answers to bought_together."""

import torch

from answers.table import right, wrong


@right("a table turned, times itself")
def by_product(baskets):
    return baskets.T @ baskets


@right("einsum")
def by_einsum(baskets):
    return torch.einsum("bi,bj->ij", baskets, baskets)


@wrong("baskets with baskets", "correct", says="the columns on the left")
def of_baskets(baskets):
    return baskets @ baskets.T


@wrong("each item by itself", "correct", says="shape")
def each_by_itself(baskets):
    return (baskets * baskets).sum(0)


@wrong("a loop over the items", "unlooped", says="grows with the input")
def item_by_item(baskets):
    return torch.stack([baskets[:, i] @ baskets for i in range(baskets.shape[1])])
