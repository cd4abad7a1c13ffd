"""Practice of checkpoints: the forward pass frees intermediate results, and the backward pass recomputes them.

The peak of memory counts over both passes. A single checkpoint around all blocks keeps little in the forward pass, but
the intermediate results of all blocks in the backward pass. At the peak, the results of several forward passes are
alive, so each input that is saved between two groups counts more than a block's intermediate results.
"""

import math

import torch
from torch import nn

from course_utils.core.errors import CourseError
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal

_WIDTH, _WIDER, _BLOCKS, _GROUP = 8, 16, 22, 4
_FEW_BLOCKS = 10  # They make three groups; copying all 22 blocks takes most of the time of a call on few rows.
_COUNT_SIZES = 512, 1024
_ALIVE = 8
_RANDOM_STATE = 5120


def light_forward_slow(blocks, x, group):
    """Return the output of all blocks, applied to x in order; ``group`` affects only the saved tensors."""
    for block in blocks:
        x = block(x)
    return x


def _block(generator):
    block = nn.Sequential(nn.Linear(_WIDTH, _WIDER), nn.Tanh(), nn.Linear(_WIDER, _WIDTH))
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=0.2))
    return block


class _SameNoise(torch.autograd.Function):
    """A function that returns its input. Its gradient is 0 if a recomputation draws other random numbers."""

    @staticmethod
    def forward(ctx, x):
        noise = torch.rand_like(x)
        ctx.save_for_backward(noise)  # A checkpoint recomputes saved tensors, but not other attributes.
        ctx.noise_sum = noise.sum()
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        (noise,) = ctx.saved_tensors
        return torch.where(noise.sum() == ctx.noise_sum, gradient, 0)


class RandomBlock(nn.Module):
    def forward(self, x):
        return _SameNoise.apply(x)


def _random_blocks(generator):
    blocks = [block for _ in range(3) for block in (_block(generator), RandomBlock())]
    return blocks, normal(generator, 3, _WIDTH), _GROUP


def _repeated_blocks(generator):
    return [_block(generator).eval() for _ in range(2)] * 6, normal(generator, 3, _WIDTH), 1


def _inputs(generator, rows, blocks=_BLOCKS):
    # The measurement of memory uses groups of another size, so an answer needs `group`.
    group = 2 * _GROUP if rows == _COUNT_SIZES[1] else _GROUP
    return [_block(generator) for _ in range(blocks)], normal(generator, rows, _WIDTH), group


def _most(blocks, x, group):
    """Return the bytes of the input and of torch's random state for each group and forward pass, of the intermediate
    results of a group and of one more block, and of the gradients.
    """
    groups = math.ceil(len(blocks) / group)
    gradients = sum(parameter.nbytes for block in blocks for parameter in block.parameters())
    saved = _ALIVE * groups * (x.nbytes + _RANDOM_STATE)
    return saved + (group + 1) * (1 + _WIDER // _WIDTH) * x.nbytes + gradients


def _trained(function, blocks, x, group):
    """Return the result of the last of several calls. The memory of all calls and of one backward pass counts.

    Raises:
        CourseError: if x needs a gradient and a parameter gets none.
    """
    calls = _ALIVE if len(x) in _COUNT_SIZES else 2  # Fewer calls take less time.
    parameters = [parameter for block in blocks for parameter in block.parameters()]
    # An answer that empties its list changes only the last one.
    results = [function(each, x, group) for each in (*(blocks[:] for _ in range(calls - 1)), blocks)]
    if isinstance(results[0], torch.Tensor) and results[0].requires_grad:
        gradients = torch.autograd.grad(results[0].sum(), parameters, allow_unused=True)
        # If x needs no gradient, the result is compared next, and the message about a wrong result says more.
        if x.requires_grad and any(gradient is None for gradient in gradients):
            raise CourseError(
                "The parameters of a block get no gradient: call each block itself, don't detach them, and pass "
                "`use_reentrant=False` to `checkpoint`."
            )
    return results[-1]


TASK = Task(
    id="light_forward",
    title="A forward pass that keeps little",
    points=0,
    level=1,
    slow=light_forward_slow,
    inputs=lambda size, generator: _inputs(generator, size, _BLOCKS if size in _COUNT_SIZES else _FEW_BLOCKS),
    edge_cases=(
        Case("a single block", lambda g: _inputs(g, 3, 1)),
        Case("as many blocks as in one group", lambda g: _inputs(g, 3, _GROUP)),
        Case("blocks that draw random numbers, as dropout does", _random_blocks),
        Case("two blocks in evaluation mode, each of them six times, in groups of one", _repeated_blocks),
        Case("float64 values", lambda g: ([_block(g).double()], normal(g, 2, 3, _WIDTH, dtype=torch.float64), _GROUP)),
    ),
    worst="A chain of blocks has no harder input; the random models are small enough that tanh doesn't saturate.",
    sizes=(1, 3, 5),
    count_sizes=_COUNT_SIZES,
    gradients=True,
    run=_trained,
    story=prose(
        "Write `light_forward(blocks, x, group)`: apply all blocks to `x` in order, with one checkpoint per `group` blocks."
    ),
    limits=(
        at_most(
            _most,
            "peak bytes",
            "the sum of two parts: for each of the eight forward passes that the check keeps, the input of each group and "
            "5,120 bytes per group; and for the backward pass after them, the intermediate results of one group and one more "
            "block, and all gradients",
        ),
    ),
    mistakes=(
        Mistake(
            "Only the first block was applied: apply all, and return after the loop.",
            lambda blocks, x, group: blocks[0](x),
        ),
        Mistake(
            "Each block received `x`: pass it the output of the block before.", lambda blocks, x, group: blocks[-1](x)
        ),
        Mistake(
            "Only the first group was applied: apply all, and return after the loop.",
            lambda blocks, x, group: light_forward_slow(blocks[:group], x, group),
        ),
        Mistake(
            "The last group is missing: apply it, too, even if it has fewer than `group` blocks.",
            lambda blocks, x, group: light_forward_slow(blocks[: len(blocks) // group * group], x, group),
        ),
    ),
)
