"""Answers to own_scores."""

import torch

from answers import AnswersTo

answers = AnswersTo("own_scores")


@answers.right("a product number by number, summed")
def by_sum(users, items):
    return (users * items).sum(1)


@answers.right("einsum")
def by_einsum(users, items):
    return torch.einsum("nd,nd->n", users, items)


@answers.wrong("the diagonal of all pairs", "unlooped", says="larger than the result")
def diagonal(users, items):
    return (users @ items.T).diagonal().clone()


@answers.wrong("all pairs", "correct", says="user i has item i only")
def all_pairs(users, items):
    return users @ items.T


@answers.wrong("all in one number", "correct", says="last axis only")
def all_in_one(users, items):
    return (users * items).sum()


@answers.wrong("the wrong axis", "correct", says="wrong axis")
def by_column(users, items):
    return (users * items).sum(0)
