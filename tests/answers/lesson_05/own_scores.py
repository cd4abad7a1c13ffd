"""Answers to own_scores."""

import torch

from answers import AnswersTo

answers = AnswersTo("own_scores")

answers.right("a product number by number, summed")(lambda users, items: (users * items).sum(1))
answers.right("einsum")(lambda users, items: torch.einsum("nd,nd->n", users, items))


@answers.wrong("the diagonal of all pairs", "unlooped", says="intermediate tensors")
def diagonal(users, items):
    return (users @ items.T).diagonal().clone()
