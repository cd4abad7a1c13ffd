"""Practice of checkpoints: the forward pass frees intermediate results, and the backward pass recomputes them.

The check counts the forward pass only. A single checkpoint around all blocks keeps even less there, so it passes. The lesson
explains next to the solution that it saves nothing in the backward pass, and races it next.
"""

import torch
from torch import nn

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import prose

_WIDTH, _WIDER, _BLOCKS = 8, 64, 12


def light_forward_slow(blocks, x):
    """The output of all blocks, applied to x in order."""
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
    return [_block(generator) for _ in range(blocks)], normal(generator, rows, _WIDTH)


def _most(blocks, x):
    """The input of each block, torch's random state for each, and the intermediate results of two blocks."""
    return len(blocks) * (x.nbytes + 8192) + 4 * (_WIDER // _WIDTH) * x.nbytes


TASK = Task(
    id="light_forward",
    title="A forward pass that keeps little",
    points=0,
    level=1,
    slow=light_forward_slow,
    inputs=lambda size, generator: _inputs(generator, size),
    edge_cases=(Case("a single block", lambda g: _inputs(g, 3, 1)),),
    worst="A chain of blocks has no harder input; the random models are small enough that tanh doesn't saturate.",
    sizes=(1, 3, 5),
    count_sizes=(8, 512),
    gradients=True,
    timeout_s=10.0,
    story=prose("Write `light_forward(blocks, x)`: apply all blocks to `x` in order, each inside a checkpoint."),
    limits=(
        at_most(
            _most,
            "peak bytes",
            "the input of each block, 8,192 bytes per block, and the intermediate results of two blocks",
        ),
    ),
    mistakes=(
        Mistake("Only the first block was applied: pass its output to the next block.", lambda blocks, x: blocks[0](x)),
        Mistake("Each block received `x`: pass it the output of the block before.", lambda blocks, x: blocks[-1](x)),
    ),
)
