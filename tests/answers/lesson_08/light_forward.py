"""Answers to light_forward."""

import torch
from torch import nn
from torch.func import functional_call
from torch.utils.checkpoint import checkpoint

from answers import AnswersTo

answers = AnswersTo("light_forward")


@answers.right("a checkpoint for each group")
def each_group(blocks, x, group):
    for start in range(0, len(blocks), group):
        x = checkpoint(run_blocks, blocks[start : start + group], x, group, use_reentrant=False)
    return x


@answers.wrong("one checkpoint around all blocks", "unlooped")
def around_all(blocks, x, group):
    return checkpoint(nn.Sequential(*blocks), x, use_reentrant=False)


@answers.wrong("no checkpoint", "unlooped", says="a gradient's graph keeps")
def run_blocks(blocks, x, group):
    for block in blocks:
        x = block(x)
    return x


@answers.wrong("a checkpoint for each block", "unlooped", says="the input of each group")
def each_block(blocks, x, group):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)
    return x


@answers.wrong("no gradients", "correct", says="none reaches")
def without_gradients(blocks, x, group):
    with torch.no_grad():
        return each_group(blocks, x, group)


@answers.wrong("x detached", "correct", says="none reaches")
def cut_off(blocks, x, group):
    return each_group(blocks, x.detach(), group)


@answers.wrong("parameters detached", "correct", says="The parameters of a block get no gradient")
def with_detached_parameters(blocks, x, group):
    def detached(block):
        own = {name: parameter.detach() for name, parameter in block.named_parameters()}
        return lambda state: functional_call(block, own, (state,))

    return each_group([detached(block) for block in blocks], x, group)


@answers.wrong("other random numbers in the recomputation", "correct", says="random numbers")
def other_random_numbers(blocks, x, group):
    for start in range(0, len(blocks), group):
        part = nn.Sequential(*blocks[start : start + group])
        x = checkpoint(part, x, use_reentrant=False, preserve_rng_state=False)
    return x


answers.wrong("groups of half the size", "unlooped", says="the input of each group")(
    lambda blocks, x, group: each_group(blocks, x, max(1, group // 2))
)
answers.wrong("groups of one more block", "unlooped", says="a checkpoint saves the random state")(
    lambda blocks, x, group: each_group(blocks, x, group + 1)
)
answers.wrong("groups of a fixed size", "unlooped", says="the input of each group")(
    lambda blocks, x, group: each_group(blocks, x, 4)
)


@answers.wrong("the last group without a checkpoint", "unlooped", says="the input of each group")
def without_the_last_checkpoint(blocks, x, group):
    last = (len(blocks) - 1) // group * group
    return run_blocks(blocks[last:], each_group(blocks[:last], x, group), group)


@answers.wrong("each block once", "correct", says="each of them six times")
def each_block_once(blocks, x, group):
    return each_group(list(dict.fromkeys(blocks)), x, group)


@answers.wrong("blocks set to training mode", "correct", says="in evaluation mode")
def in_training_mode(blocks, x, group):
    for block in blocks:
        block.train()
    return each_group(blocks, x, group)


@answers.wrong("the other implementation of checkpoints", "correct", says="pass `use_reentrant=False`")
def with_reentrant_checkpoints(blocks, x, group):
    for start in range(0, len(blocks), group):
        x = checkpoint(nn.Sequential(*blocks[start : start + group]), x, use_reentrant=True)
    return x
