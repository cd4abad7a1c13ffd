"""Practice of checkpoints: what the forward pass lets go of, the backward pass computes once more.

What is counted is the forward pass alone, as the task's title says. One checkpoint around all blocks keeps even less there, and
passes; that it saves nothing on the way back is what the lesson says right below, beside the solution, and races next.
"""

import torch
from torch import nn

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import prose

_WIDTH, _WIDER, _BLOCKS = 8, 64, 12


def light_forward_slow(blocks, x):
    """x sent through all blocks, one after the other."""
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
    """What goes into each block, torch's state of random numbers for each, and the inside of two of them."""
    return len(blocks) * (x.nbytes + 8192) + 4 * (_WIDER // _WIDTH) * x.nbytes


TASK = Task(
    id="light_forward",
    title="A forward pass that keeps little",
    points=0,
    level=1,
    slow=light_forward_slow,
    inputs=lambda size, generator: _inputs(generator, size),
    edge_cases=(Case("a single block", lambda g: _inputs(g, 3, 1)),),
    sizes=(1, 3, 5),
    count_sizes=(8, 512),
    gradients=True,
    timeout_s=10.0,
    story=prose("Write `light_forward(blocks, x)`: x sent through all blocks, each as a checkpoint."),
    limits=(
        at_most(_most, "peak bytes", "the input of each block, 8,192 bytes per block, and the inside of two blocks"),
    ),
    mistakes=(
        Mistake("This is the first block only: go on with what it returns.", lambda blocks, x: blocks[0](x)),
        Mistake(
            "Each block gets x itself: it is to get what the one before returned.", lambda blocks, x: blocks[-1](x)
        ),
    ),
)
