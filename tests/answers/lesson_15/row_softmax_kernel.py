"""Answers to row_softmax_kernel."""

import torch

from answers import AnswersTo
from answers.lesson_15.shared import tl, triton

answers = AnswersTo("row_softmax_kernel")


@triton.jit
def _program(x_ptr, out_ptr, columns, other, BLOCK: tl.constexpr):
    row, offsets = tl.program_id(0), tl.arange(0, BLOCK)
    mask = offsets < columns
    values = tl.load(x_ptr + row * columns + offsets, mask=mask, other=other)
    exponentials = tl.exp(values - tl.max(values, axis=0))
    tl.store(out_ptr + row * columns + offsets, exponentials / tl.sum(exponentials, axis=0), mask=mask)


def _launch(x, block, other=float("-inf")):
    x = x.contiguous()
    out = torch.empty_like(x)
    _program[(len(x),)](x, out, x.shape[1], other, BLOCK=block)
    return out


@answers.right("one block per row")
def one_block(x):
    return _launch(x, triton.next_power_of_2(x.shape[1]))


@triton.jit
def _online_program(x_ptr, out_ptr, columns, row_stride, column_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    # Each lane has a maximum and a sum of its own, in the dtype of x: a scalar would be float32 on a GPU.
    largest = tl.full((BLOCK,), -float("inf"), x_ptr.dtype.element_ty)
    total = tl.zeros((BLOCK,), x_ptr.dtype.element_ty)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < columns
        values = tl.load(x_ptr + row * row_stride + offsets * column_stride, mask=mask, other=-float("inf"))
        new = tl.maximum(largest, values)
        shift = tl.where(new == -float("inf"), 0.0, new)
        total = total * tl.exp(largest - shift) + tl.exp(values - shift)
        largest = new
    top = tl.max(largest, axis=0)
    total = tl.sum(total * tl.exp(largest - tl.where(top == -float("inf"), 0.0, top)), axis=0)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < columns
        values = tl.load(x_ptr + row * row_stride + offsets * column_stride, mask=mask)
        tl.store(out_ptr + row * columns + offsets, tl.exp(values - top) / total, mask=mask)


@answers.right("a loop over blocks with a running maximum")
def online(x):
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    _online_program[(len(x),)](x, out, x.shape[1], x.stride(0), x.stride(1), BLOCK=256)
    return out


@triton.jit
def _rows_program(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    mask = (row < rows) & (column < columns)
    values = tl.load(x_ptr + row * columns + column, mask=mask, other=-float("inf"))
    exponentials = tl.exp(values - tl.max(values, axis=1)[:, None])
    tl.store(out_ptr + row * columns + column, exponentials / tl.sum(exponentials, axis=1)[:, None], mask=mask)


@answers.right("four rows per program")
def several_rows(x):
    x = x.contiguous()
    out = torch.empty_like(x)
    block = triton.next_power_of_2(x.shape[1])
    _rows_program[(triton.cdiv(len(x), 4),)](x, out, *x.shape, ROWS=4, BLOCK=block)
    return out


@answers.wrong("masked values loaded as 0", "correct", says="whose exponential is 0")
def masked_as_zero(x):
    return _launch(x, triton.next_power_of_2(x.shape[1]), 0.0)


@answers.wrong("a block of 1,024 for every row", "correct", says="9,000")
def fixed_block(x):
    return _launch(x, 1024)


@answers.wrong("a block of the row's length", "correct", says="must be a power of two; got BLOCK=3")
def odd_block(x):
    return _launch(x, x.shape[1])


@answers.wrong("no kernel", "unlooped", says="no kernel ran")
def with_pytorch(x):
    return torch.softmax(x, 1)


@triton.jit
def _three_passes_program(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    begin = tl.program_id(0) * columns
    largest = tl.full((BLOCK,), -float("inf"), x_ptr.dtype.element_ty)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        values = tl.load(x_ptr + begin + offsets, mask=offsets < columns, other=-float("inf"))
        largest = tl.maximum(largest, values)
    top = tl.max(largest, axis=0)
    total = 0.0
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        values = tl.load(x_ptr + begin + offsets, mask=offsets < columns, other=-float("inf"))
        total += tl.sum(tl.exp(values - top), axis=0)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        values = tl.load(x_ptr + begin + offsets, mask=offsets < columns)
        tl.store(out_ptr + begin + offsets, tl.exp(values - top) / total, mask=offsets < columns)


@answers.wrong("three passes over the row", "unlooped", says="each value of `x` at most twice")
def three_passes(x):
    x = x.contiguous()
    out = torch.empty_like(x)
    _three_passes_program[(len(x),)](x, out, x.shape[1], BLOCK=64)
    return out


@answers.wrong("one launch per row", "unlooped", says="a loop still runs over it")
def row_by_row(x):
    x = x.contiguous()
    out = torch.empty_like(x)
    for i in range(len(x)):
        _program[(1,)](x[i], out[i], x.shape[1], float("-inf"), BLOCK=triton.next_power_of_2(x.shape[1]))
    return out


@triton.jit
def _copy_program(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < count), mask=offsets < count)


@answers.wrong("a kernel that copies the softmax of PyTorch", "unlooped", says="computes outside of the kernel")
def copied_softmax(x):
    result = torch.softmax(x, 1)
    out = torch.empty_like(result)
    _copy_program[(triton.cdiv(x.numel(), 64),)](result, out, x.numel(), BLOCK=64)
    return out


@triton.jit
def _unguarded_program(x_ptr, out_ptr, columns, start, BLOCK: tl.constexpr):
    first, offsets = tl.program_id(0) * columns, tl.arange(0, BLOCK)
    largest = tl.full((1,), start, x_ptr.dtype.element_ty)
    total = tl.zeros((1,), x_ptr.dtype.element_ty)
    for i in range(0, columns, BLOCK):
        values = tl.load(x_ptr + first + i + offsets, mask=i + offsets < columns, other=float("-inf"))
        larger = tl.maximum(largest, tl.max(values, axis=0))
        total = total * tl.exp(largest - larger) + tl.sum(tl.exp(values - larger), axis=0)
        largest = larger
    for i in range(0, columns, BLOCK):
        values = tl.load(x_ptr + first + i + offsets, mask=i + offsets < columns, other=float("-inf"))
        tl.store(out_ptr + first + i + offsets, tl.exp(values - largest) / total, mask=i + offsets < columns)


def _launch_unguarded(x, start):
    x = x.contiguous()
    out = torch.empty_like(x)
    _unguarded_program[(len(x),)](x, out, x.shape[1], start, BLOCK=256)
    return out


@answers.wrong("a loop over blocks, with NaN after a masked block", "correct", says="the first 1,200 are masked")
def masked_block(x):
    return _launch_unguarded(x, float("-inf"))


@answers.wrong("a maximum of at least -1e9", "correct", says="far below 0")
def bounded_maximum(x):
    return _launch_unguarded(x, -1e9)


@answers.wrong("at most 128 programs", "correct", says="130 rows")
def at_most_128_rows(x):
    x = x.contiguous()
    out = torch.empty_like(x)
    _program[(min(len(x), 128),)](x, out, x.shape[1], float("-inf"), BLOCK=triton.next_power_of_2(x.shape[1]))
    return out
