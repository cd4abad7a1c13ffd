"""Answers to scale_shift_kernel."""

import torch

from answers import AnswersTo
from answers.lesson_15.shared import tl, triton

answers = AnswersTo("scale_shift_kernel")
# Triton passes a Python number to a kernel as float32, and the numbers of this task need no more digits.
answers.without("rounded to float32 inside")


@triton.jit
def _program(x_ptr, out_ptr, n, scale, shift, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) * scale + shift, mask=mask)


@answers.right("blocks of 128")
def in_blocks(x, scale, shift):
    x = x.contiguous()
    out = torch.empty_like(x)
    _program[(triton.cdiv(len(x), 128),)](x, out, len(x), scale, shift, BLOCK=128)
    return out


@answers.right("one program with one block")
def one_block(x, scale, shift):
    x = x.contiguous()
    out = torch.empty_like(x)
    _program[(1,)](x, out, len(x), scale, shift, BLOCK=triton.next_power_of_2(max(1, len(x))))
    return out


@triton.jit
def _strided_program(x_ptr, out_ptr, n, stride, scale, shift, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        values = tl.load(x_ptr + offsets * stride, mask=offsets < n, other=0.0)
        tl.store(out_ptr + offsets, values * scale + shift, mask=offsets < n)


@answers.right("four programs with a loop over strided blocks")
def persistent(x, scale, shift):
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    _strided_program[(4,)](x, out, len(x), x.stride(0), scale, shift, BLOCK=64)
    return out


@answers.wrong("ignores the gaps of a slice", "correct", says="wrong values")
def without_strides(x, scale, shift):
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    _program[(triton.cdiv(len(x), 128),)](x, out, len(x), scale, shift, BLOCK=128)
    return out


@triton.jit
def _unmasked_program(x_ptr, out_ptr, scale, shift, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) * scale + shift)


@answers.wrong("no mask", "correct", says="x_ptr[1], but x_ptr has the indices 0 to 0")
def without_a_mask(x, scale, shift):
    x = x.contiguous()
    out = torch.empty_like(x)
    _unmasked_program[(triton.cdiv(len(x), 128),)](x, out, scale, shift, BLOCK=128)
    return out


@answers.wrong("drops the last block", "correct")
def without_the_last_block(x, scale, shift):
    x = x.contiguous()
    out = torch.zeros_like(x)
    _program[(len(x) // 4,)](x, out, len(x), scale, shift, BLOCK=4)
    return out


@answers.wrong("a block that is not a power of two", "correct", says="must be a power of two; got BLOCK=100")
def odd_block(x, scale, shift):
    x = x.contiguous()
    out = torch.empty_like(x)
    _program[(triton.cdiv(max(1, len(x)), 100),)](x, out, len(x), scale, shift, BLOCK=100)
    return out


@answers.wrong("the result always on the host", "correct", says="torch.empty(…) without a device")
def on_the_host(x, scale, shift):
    x = x.contiguous()
    out = torch.empty(len(x), dtype=x.dtype)
    _program[(triton.cdiv(len(x), 128),)](x, out, len(x), scale, shift, BLOCK=128)
    return out


@answers.wrong("tl outside of a kernel", "correct", says="tl.load works only inside a kernel")
def outside_of_a_kernel(x, scale, shift):
    return tl.load(x) * scale + shift


@answers.wrong("the kernel called like a function", "correct", says="launch it on a grid")
def without_a_grid(x, scale, shift):
    out = torch.empty_like(x)
    _program(x, out, len(x), scale, shift, 128)
    return out


@answers.wrong("no kernel", "unlooped", says="no kernel ran")
def with_pytorch(x, scale, shift):
    return x * scale + shift


@answers.wrong("a kernel that does nothing, then PyTorch", "unlooped", says="store only 0 of 32 bytes")
def with_an_idle_kernel(x, scale, shift):
    _program[(1,)](x, x, 0, scale, shift, BLOCK=16)
    return x * scale + shift


@answers.wrong("one kernel per operation", "unlooped", says="launched 2 times")
def two_kernels(x, scale, shift):
    return in_blocks(in_blocks(x, scale, 0.0), 1.0, shift)


@triton.jit
def _wasteful_program(x_ptr, out_ptr, n, scale, shift, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) * scale, mask=mask)
    tl.store(out_ptr + offsets, tl.load(out_ptr + offsets, mask=mask) + shift, mask=mask)


@answers.wrong("the product stored and loaded again", "unlooped", says="Which values does a program load twice")
def wasteful(x, scale, shift):
    x = x.contiguous()
    out = torch.empty_like(x)
    _wasteful_program[(triton.cdiv(len(x), 128),)](x, out, len(x), scale, shift, BLOCK=128)
    return out


@answers.wrong("one program with a block of 4,096", "correct", says="20,000 values")
def one_fixed_block(x, scale, shift):
    x = x.contiguous()
    out = torch.zeros_like(x)
    _program[(1,)](x, out, len(x), scale, shift, BLOCK=4096)
    return out


answers.wrong("fixed numbers", "correct", says="other numbers")(
    lambda x, scale, shift: in_blocks(x, 1.5 if scale else 0.0, min(shift, 0.5))
)
answers.wrong("the scale's magnitude", "correct", says="a negative scale")(
    lambda x, scale, shift: in_blocks(x, abs(scale), shift)
)
