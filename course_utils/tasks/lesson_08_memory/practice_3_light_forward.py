"""Practice of checkpoints: the forward pass frees intermediate results, and the backward pass recomputes them.

The peak of memory counts over both passes. A single checkpoint around all blocks keeps little in the forward pass, but
the intermediate results of all blocks in the backward pass.
"""

import math

import torch
from torch import nn

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal

_WIDTH, _WIDER, _BLOCKS, _GROUP = 8, 16, 22, 4


def light_forward_slow(blocks, x, group):
    """The output of all blocks, applied to x in order; ``group`` affects only what is saved."""
    for block in blocks:
        x = block(x)
    return x


def _block(generator):
    block = nn.Sequential(nn.Linear(_WIDTH, _WIDER), nn.Tanh(), nn.Linear(_WIDER, _WIDTH))
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=0.2))
    return block


def _inputs(generator, rows, blocks=_BLOCKS):
    return [_block(generator) for _ in range(blocks)], normal(generator, rows, _WIDTH), _GROUP


def _most(blocks, x, group):
    """The input of each group, the intermediate results of a group and of one more block, the gradients, and torch's
    random state for each block.
    """
    groups = math.ceil(len(blocks) / group)
    gradients = sum(parameter.nbytes for block in blocks for parameter in block.parameters())
    return (groups + (group + 1) * (1 + _WIDER // _WIDTH)) * x.nbytes + gradients + 8192 * len(blocks)


def _trained(function, blocks, x, group):
    """Return the result of a second call. The memory of the first one counts with its backward pass."""
    result = function(blocks, x, group)
    if isinstance(result, torch.Tensor) and result.requires_grad:
        parameters = [parameter for block in blocks for parameter in block.parameters()]
        torch.autograd.grad(result.sum(), parameters, allow_unused=True)
    return function(blocks, x, group)


TASK = Task(
    id="light_forward",
    title="A forward pass that keeps little",
    points=0,
    level=1,
    slow=light_forward_slow,
    inputs=lambda size, generator: _inputs(generator, size),
    edge_cases=(
        Case("a single block", lambda g: _inputs(g, 3, 1)),
        Case("as many blocks as in one group", lambda g: _inputs(g, 3, _GROUP)),
    ),
    worst="A chain of blocks has no harder input; the random models are small enough that tanh doesn't saturate.",
    sizes=(1, 3, 5),
    count_sizes=(8, 2048),
    gradients=True,
    run=_trained,
    timeout_s=10.0,
    story=prose(
        "Write `light_forward(blocks, x, group)`: apply all blocks to `x` in order, with one checkpoint per `group` blocks."
    ),
    limits=(
        at_most(
            _most,
            "peak bytes",
            "in the forward and the backward pass, the input of each group, the intermediate results of one group and one "
            "block, the gradients of the parameters, and 8,192 bytes per block",
        ),
    ),
    mistakes=(
        Mistake(
            "Only the first block was applied: pass its output to the next block.",
            lambda blocks, x, group: blocks[0](x),
        ),
        Mistake(
            "Each block received `x`: pass it the output of the block before.", lambda blocks, x, group: blocks[-1](x)
        ),
        Mistake(
            "Only the first group was applied: pass its output to the next group.",
            lambda blocks, x, group: light_forward_slow(blocks[:group], x, group),
        ),
        Mistake(
            "The last group is missing: it may have fewer than `group` blocks.",
            lambda blocks, x, group: light_forward_slow(blocks[: len(blocks) // group * group], x, group),
        ),
    ),
)
