"""Answers to members_layer."""

import torch
from torch.func import vmap
from torch.nn import functional

from answers import AnswersTo

answers = AnswersTo("members_layer")


@answers.right("a broadcast product")
def by_product(x, weights, biases):
    return x @ weights.mT + biases[:, None]


@answers.right("baddbmm")
def by_baddbmm(x, weights, biases):
    return torch.baddbmm(biases[:, None], x.expand(len(weights), -1, -1), weights.mT)


@answers.right("vmap")
def by_vmap(x, weights, biases):
    return vmap(functional.linear, in_dims=(None, 0, 0))(x, weights, biases)


@answers.wrong("without in_dims", "correct", says="Sample i went to member i")
def without_in_dims(x, weights, biases):
    return vmap(functional.linear)(x, weights, biases)


@answers.wrong("not turned", "correct")
def not_turned(x, weights, biases):
    return x @ weights + biases[:, None]


@answers.wrong("a bias for each row", "correct")
def biases_as_they_are(x, weights, biases):
    return x @ weights.mT + biases


@answers.wrong(line="correct", says="biases are missing")
def without_biases(x, weights, biases):
    return x @ weights.mT


@answers.wrong("bmm with a matrix", "correct", says="bmm broadcasts nothing")
def bmm_of_a_matrix(x, weights, biases):
    return torch.bmm(x, weights.mT) + biases[:, None]


@answers.wrong("a comprehension", "unlooped")
def in_a_comprehension(x, weights, biases):
    return torch.stack([x @ weight.T + bias for weight, bias in zip(weights, biases)])
