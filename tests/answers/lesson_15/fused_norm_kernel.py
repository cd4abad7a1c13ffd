"""Answers to fused_norm_kernel."""

import torch

from answers import AnswersTo
from answers.lesson_15.shared import tl, triton

answers = AnswersTo("fused_norm_kernel")
answers.exception("nothing returned", "correct", says="expected a tuple")


@triton.jit
def _program(
    x_ptr, residual_ptr, weight_ptr, normed_ptr, total_ptr, eps, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    offsets, mask = row * columns + column, (row < rows) & (column < columns)
    weight = tl.load(weight_ptr + column, mask=column < columns)
    total = tl.load(x_ptr + offsets, mask=mask, other=0.0) + tl.load(residual_ptr + offsets, mask=mask, other=0.0)
    mean = tl.sum(total * total, axis=1)[:, None] / columns
    tl.store(total_ptr + offsets, total, mask=mask)
    tl.store(normed_ptr + offsets, total / tl.sqrt(mean + eps) * weight, mask=mask)


def _launch(x, residual, weight, eps, rows, block=None):
    x, residual, weight = x.contiguous(), residual.contiguous(), weight.contiguous()
    normed, total = torch.empty_like(x), torch.empty_like(x)
    block = block or triton.next_power_of_2(x.shape[1])
    _program[(triton.cdiv(len(x), rows),)](x, residual, weight, normed, total, eps, *x.shape, ROWS=rows, BLOCK=block)
    return normed, total


@answers.right("eight rows per program")
def eight_rows(x, residual, weight, eps):
    return _launch(x, residual, weight, eps, 8)


@answers.right("sixteen rows per program")
def sixteen_rows(x, residual, weight, eps):
    return _launch(x, residual, weight, eps, 16)


@triton.jit
def _row_loop_program(x_ptr, residual_ptr, weight_ptr, normed_ptr, total_ptr, eps, rows, columns, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    mask = column < columns
    weight = tl.load(weight_ptr + column, mask=mask)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        offsets = row * columns + column
        total = tl.load(x_ptr + offsets, mask=mask, other=0.0) + tl.load(residual_ptr + offsets, mask=mask, other=0.0)
        inverse = 1 / tl.sqrt(tl.sum(total * total, axis=0) / columns + eps)
        tl.store(total_ptr + offsets, total, mask=mask)
        tl.store(normed_ptr + offsets, total * inverse * weight, mask=mask)


@answers.right("programs that loop over their rows")
def rows_in_a_loop(x, residual, weight, eps):
    x, residual, weight = x.contiguous(), residual.contiguous(), weight.contiguous()
    normed, total = torch.empty_like(x), torch.empty_like(x)
    _row_loop_program[(triton.cdiv(len(x), 8),)](
        x, residual, weight, normed, total, eps, *x.shape, BLOCK=triton.next_power_of_2(x.shape[1])
    )
    return normed, total


@answers.wrong("one row per program", "unlooped", says="`weight` at most once per 8 rows")
def one_row(x, residual, weight, eps):
    return _launch(x, residual, weight, eps, 1)


@answers.wrong("a block of 4,096 for every row", "correct", says="rows of 20,000 values")
def fixed_block(x, residual, weight, eps):
    return _launch(x, residual, weight, eps, 8, 4096)


@answers.wrong("ignores gaps in the residual", "correct")
def ignores_gaps(x, residual, weight, eps):
    return _launch(x, residual.as_strided(x.shape, (x.shape[1], 1)), weight, eps, 8)


@answers.wrong("the sum from PyTorch", "unlooped", says="the programs store only")
def sum_from_pytorch(x, residual, weight, eps):
    total = (x + residual).contiguous()
    normed = torch.empty_like(total)
    _sum_program[(triton.cdiv(len(x), 8),)](
        total, weight.contiguous(), normed, eps, *x.shape, ROWS=8, BLOCK=triton.next_power_of_2(x.shape[1])
    )
    return normed, total


@triton.jit
def _sum_program(total_ptr, weight_ptr, normed_ptr, eps, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    offsets, mask = row * columns + column, (row < rows) & (column < columns)
    total = tl.load(total_ptr + offsets, mask=mask, other=0.0)
    mean = tl.sum(total * total, axis=1)[:, None] / columns
    weight = tl.load(weight_ptr + column, mask=column < columns)
    tl.store(normed_ptr + offsets, total / tl.sqrt(mean + eps) * weight, mask=mask)


@answers.wrong("a sum over masked values that no `other` defines", "correct", says="`other=0`")
def without_other(x, residual, weight, eps):
    total = (x + residual).contiguous()
    normed = torch.empty_like(total)
    block = triton.next_power_of_2(x.shape[1])
    _undefined_program[(len(x),)](total, weight.contiguous(), normed, eps, x.shape[1], BLOCK=block)
    return normed, total


@triton.jit
def _undefined_program(total_ptr, weight_ptr, normed_ptr, eps, columns, BLOCK: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, BLOCK)
    total = tl.load(total_ptr + row * columns + column, mask=column < columns)
    weight = tl.load(weight_ptr + column, mask=column < columns) / tl.sqrt(tl.sum(total * total) / columns + eps)
    tl.store(normed_ptr + row * columns + column, total * weight, mask=column < columns)


@answers.wrong("no kernel", "unlooped", says="at most 4 are allowed")
def with_pytorch(x, residual, weight, eps):
    total = x + residual
    return total / ((total * total).mean(1, keepdim=True) + eps).sqrt() * weight, total


@answers.wrong(
    "the rows masked, the columns not", "correct", says="weight_ptr[3], but weight_ptr has the indices 0 to 2"
)
def without_a_column_mask(x, residual, weight, eps):
    x, residual, weight = x.contiguous(), residual.contiguous(), weight.contiguous()
    normed, total = torch.empty_like(x), torch.empty_like(x)
    block = triton.next_power_of_2(x.shape[1])
    _unmasked_program[(triton.cdiv(len(x), 8),)](x, residual, weight, normed, total, eps, *x.shape, ROWS=8, BLOCK=block)
    return normed, total


@triton.jit
def _unmasked_program(
    x_ptr, residual_ptr, weight_ptr, normed_ptr, total_ptr, eps, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    offsets, mask = row * columns + column, (row < rows) & (column < columns)
    weight = tl.load(weight_ptr + column)
    total = tl.load(x_ptr + offsets, mask=mask, other=0.0) + tl.load(residual_ptr + offsets, mask=mask, other=0.0)
    mean = tl.sum(total * total, axis=1)[:, None] / columns
    tl.store(total_ptr + offsets, total, mask=mask)
    tl.store(normed_ptr + offsets, total / tl.sqrt(mean + eps) * weight, mask=mask)


@answers.wrong("the block's size in the mean", "correct", says="the number of columns")
def mean_of_the_block(x, residual, weight, eps):
    total = x + residual
    block = triton.next_power_of_2(x.shape[1])
    return total / ((total * total).sum(1, keepdim=True) / block + eps).sqrt() * weight, total


@answers.wrong("at most 128 rows", "correct", says="300 rows")
def at_most_128_rows(x, residual, weight, eps):
    normed, total = torch.empty_like(x), torch.empty_like(x)
    for result, part in zip((normed, total), _launch(x[:128], residual[:128], weight, eps, 8)):
        result[:128] = part
    return normed, total
