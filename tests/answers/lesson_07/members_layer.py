"""Answers to members_layer."""

import torch
from torch.func import vmap
from torch.nn import functional

from answers import AnswersTo

answers = AnswersTo("members_layer")

answers.right("a broadcast product")(lambda x, weights, biases: x @ weights.mT + biases[:, None])


@answers.right("baddbmm")
def by_baddbmm(x, weights, biases):
    return torch.baddbmm(biases[:, None], x.expand(len(weights), -1, -1), weights.mT)


answers.right("vmap")(lambda x, weights, biases: vmap(functional.linear, in_dims=(None, 0, 0))(x, weights, biases))
answers.wrong("weights not transposed", "correct")(lambda x, weights, biases: x @ weights + biases[:, None])
answers.wrong("a bias for each row", "correct")(lambda x, weights, biases: x @ weights.mT + biases)


@answers.wrong("bmm with a matrix", "correct", says="bmm does not broadcast")
def bmm_of_a_matrix(x, weights, biases):
    return torch.bmm(x, weights.mT) + biases[:, None]


@answers.wrong("a list comprehension", "unlooped")
def in_a_comprehension(x, weights, biases):
    return torch.stack([x @ weight.T + bias for weight, bias in zip(weights, biases)])


@answers.wrong("float32", "correct", says="lower precision")
def in_float32(x, weights, biases):
    return (x.float() @ weights.float().mT + biases[:, None].float()).to(x.dtype)


@answers.wrong("biases selected by a product", "correct", says="whose bias is NaN")
def biases_by_a_product(x, weights, biases):
    return x @ weights.mT + (torch.eye(len(biases), dtype=x.dtype, device=x.device) @ biases)[:, None]


@answers.wrong("a loop over the outputs", "unlooped", says="grows with the input")
def output_by_output(x, weights, biases):
    columns = [torch.addmm(biases[:, k, None], weights[:, k], x.T) for k in range(weights.shape[1])]
    return torch.stack(columns, 2)


answers.wrong("the first 4,096 inputs only", "correct", says="4,099 inputs")(
    lambda x, weights, biases: by_baddbmm(x[:, :4096], weights[:, :, :4096], biases)
)
