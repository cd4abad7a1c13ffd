"""Answers to hooked."""

import torch

from answers import AnswersTo

answers = AnswersTo("hooked")


@answers.right("index_reduce")
def by_index_reduce(roots, one, other):
    a, b = roots[one], roots[other]
    return roots.index_reduce(0, torch.maximum(a, b), torch.minimum(a, b), "amin")


@answers.wrong("hooks the smaller root to the larger one", "correct")
def upwards(roots, one, other):
    a, b = roots[one], roots[other]
    return roots.scatter_reduce(0, torch.minimum(a, b), torch.maximum(a, b), "amax")


@answers.wrong("a loop over pairs", "unlooped")
def pair_by_pair(roots, one, other):
    parents = roots.clone()
    for a, b in zip(roots[one], roots[other]):
        parents[torch.maximum(a, b)] = torch.minimum(parents[torch.maximum(a, b)], torch.minimum(a, b))
    return parents


@answers.wrong("int32 keys", "correct", says="70,000 elements")
def keys_of_32_bits(roots, one, other):
    a, b = roots[one].int(), roots[other].int()
    keys = torch.maximum(a, b) * len(roots) + torch.minimum(a, b)
    return roots.scatter_reduce(0, (keys // len(roots)).long(), (keys % len(roots)).long(), "amin")


@answers.wrong("hooks the root of the larger element", "correct", says="the larger element of a pair")
def root_of_the_larger_element(roots, one, other):
    larger, smaller = torch.maximum(one, other), torch.minimum(one, other)
    return roots.scatter_reduce(0, roots[larger], roots[smaller], "amin")


answers.wrong("at most 4,096 pairs", "correct", says="5,000 pairs")(
    lambda roots, one, other: by_index_reduce(roots, one[:4096], other[:4096])
)
