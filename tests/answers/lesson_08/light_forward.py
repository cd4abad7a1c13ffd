"""Answers to light_forward."""

import torch
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

from answers import AnswersTo

answers = AnswersTo("light_forward")


@answers.right("a checkpoint for each block")
def each_block(blocks, x):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)
    return x


@answers.right("as many segments as blocks")
def in_segments(blocks, x):
    return checkpoint_sequential(list(blocks), len(blocks), x, use_reentrant=False)


@answers.right("one checkpoint around all, of which the backward pass makes everything at one time")
def around_all(blocks, x):
    return checkpoint(kept, blocks, x, use_reentrant=False)


@answers.wrong("everything kept", "unlooped", says="a gradient's graph keeps")
def kept(blocks, x):
    for block in blocks:
        x = block(x)
    return x


@answers.wrong("no gradient at all", "correct", says="none reaches")
def without_gradients(blocks, x):
    with torch.no_grad():
        return each_block(blocks, x)


@answers.wrong("cut off at each block", "correct", says="none reaches")
def cut_off(blocks, x):
    for block in blocks:
        x = checkpoint(block, x.detach(), use_reentrant=False)
    return x
