"""Answers to slices_to_heads."""

import torch

from answers import AnswersTo

answers = AnswersTo("slices_to_heads")


@answers.right("einsum")
def by_einsum(x, weights):
    return torch.einsum("bhf,hfo->bho", x, weights)


@answers.right("the heads moved to the front")
def by_product(x, weights):
    return (x.transpose(0, 1) @ weights).transpose(0, 1)


@answers.wrong(line="correct", says="heads stand first")
def heads_first(x, weights):
    return x.transpose(0, 1) @ weights


@answers.wrong(line="correct", says="Sample i went to head i")
def by_bmm_as_they_stand(x, weights):
    return torch.bmm(x, weights)


@answers.wrong("every slice", "correct", says="added up")
def every_slice(x, weights):
    return torch.einsum("bgf,hfo->bho", x, weights)


@answers.wrong("a comprehension", "unlooped")
def in_a_comprehension(x, weights):
    return torch.stack([x[:, head] @ weights[head] for head in range(len(weights))], 1)
