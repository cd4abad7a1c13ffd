"""Triton kernels for the tests, right and wrong ones, each launched by a function of a vector."""

import torch

from course_utils import load_triton

triton, tl = load_triton()


@triton.jit
def twice(value):
    return 2 * value


@triton.jit
def double_program(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    indices = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + indices, twice(tl.load(x_ptr + indices, mask=indices < n)), mask=indices < n)


@triton.jit
def unmasked_program(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    indices = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + indices, tl.load(x_ptr + indices, mask=indices < n))


@triton.jit
def runaway_program(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    for _ in range(n):
        x_ptr -= 1000
        tl.store(out_ptr + tl.arange(0, BLOCK), tl.load(x_ptr + tl.arange(0, BLOCK)), mask=tl.arange(0, BLOCK) < n)


@triton.jit
def add_program(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    indices = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + indices, mask=indices < n, other=0.0)
    tl.atomic_add(out_ptr + indices, x, mask=indices < n + 1)


@triton.jit
def sum_program(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    indices = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x_ptr + indices, mask=indices < n))
    tl.store(out_ptr + indices, total + tl.zeros((BLOCK,), tl.float32), mask=indices < n)


@triton.jit
def faulty_program(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    tl.store(out_ptr + tl.arange(0, BLOCK), undefined)  # noqa: F821 - the mistake


@triton.jit
def unwritten_program(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    raise NotImplementedError()


@triton.jit
def methods_program(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    mask = tl.arange(0, BLOCK) < n
    x = tl.load(x_ptr + tl.arange(0, BLOCK), mask=mask, other=0.0)
    share = x.sum(0) / tl.cdiv(n, 1) + tl.zeros((BLOCK,), tl.float32) + tl.max(x, axis=0)
    tl.store(out_ptr + tl.arange(0, BLOCK), share, mask=mask)


def launch(program, x, block=4, programs=None):
    """Return the result of a program on the blocks of x."""
    out = torch.full_like(x, 7.0)
    program[(triton.cdiv(len(x), block) if programs is None else programs,)](x, out, len(x), BLOCK=block)
    return out
