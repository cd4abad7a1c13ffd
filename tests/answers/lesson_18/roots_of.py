"""Answers to roots_of."""

import torch

from answers import AnswersTo

answers = AnswersTo("roots_of")


@answers.right("a logarithmic number of jumps")
def by_length(parents):
    for _ in range(len(parents).bit_length()):
        parents = parents[parents]
    return parents.clone()


@answers.wrong("a loop over elements", "unlooped")
def by_element(parents):
    roots = parents.clone()
    for i in range(len(roots)):
        roots[i] = roots[parents[i]]
    return roots


@answers.wrong("one step per iteration", "unlooped")
def one_step(parents):
    roots = parents
    for _ in range(len(parents)):
        roots = parents[roots]
    return roots.clone()


@answers.wrong("an int32 result", "correct", says="dtype")
def in_int32(parents):
    return by_length(parents).to(torch.int32)


@answers.wrong("at most 8 rounds", "correct", says="a chain of 300")
def eight_rounds(parents):
    for _ in range(8):
        parents = parents[parents]
    return parents


@answers.wrong("float16 indices", "correct", says="every second one a root")
def in_half_precision(parents):
    for _ in range(len(parents).bit_length()):
        parents = parents[parents].half().long()
    return parents


@answers.wrong("at most 16 rounds", "correct", says="two chains of 66,000")
def sixteen_rounds(parents):
    for _ in range(16):
        parents = parents[parents]
    return parents.clone()


@answers.wrong("indices in int16", "correct", says="every second one a root")
def narrow(parents):
    roots = parents.to(torch.int16)
    for _ in range(len(parents).bit_length()):
        roots = roots[roots.long()]
    return roots.to(parents.dtype)


@answers.wrong("indices in uint16", "correct", says="every second one a root")
def unsigned(parents):
    return (by_length(parents) % 2**16).to(parents.dtype)
