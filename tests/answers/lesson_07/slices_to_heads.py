"""Answers to slices_to_heads."""

import torch

from answers import AnswersTo

answers = AnswersTo("slices_to_heads")

answers.right("einsum")(lambda x, weights: torch.einsum("bhf,hfo->bho", x, weights))
answers.right("the heads moved to the front")(lambda x, weights: (x.transpose(0, 1) @ weights).transpose(0, 1))


@answers.wrong("a list comprehension", "unlooped")
def in_a_comprehension(x, weights):
    return torch.stack([x[:, head] @ weights[head] for head in range(len(weights))], 1)


@answers.wrong("float32", "correct", says="lower precision")
def in_float32(x, weights):
    return torch.einsum("bhf,hfo->bho", x.float(), weights.float()).to(x.dtype)


@answers.wrong("a block-diagonal matrix", "correct", says="infinity in one slice")
def block_diagonal(x, weights):
    heads, features, out = weights.shape
    blocks = weights.new_zeros(heads, features, heads, out)
    head = torch.arange(heads, device=x.device)
    blocks[head, :, head] = weights
    return (x.flatten(1) @ blocks.reshape(heads * features, heads * out)).reshape(len(x), heads, out)


@answers.wrong("a loop over the features", "unlooped", says="grows with the input")
def feature_by_feature(x, weights):
    result = x.new_zeros(len(x), len(weights), weights.shape[2])
    for k in range(x.shape[2]):
        result.addcmul_(x[:, :, k, None], weights[:, k])
    return result


@answers.wrong("a loop over the outputs", "unlooped", says="grows with the input")
def output_by_output(x, weights):
    return torch.stack([torch.einsum("bhf,hf->bh", x, columns) for columns in weights.unbind(2)], 2)


answers.wrong("the first 4,096 features only", "correct", says="4,099 features")(
    lambda x, weights: torch.einsum("bhf,hfo->bho", x[:, :, :4096], weights[:, :4096])
)
