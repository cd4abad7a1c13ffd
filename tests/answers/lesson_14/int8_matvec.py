"""Answers to int8_matvec."""

import torch

from answers import AnswersTo

answers = AnswersTo("int8_matvec")
ROWS = 512


@answers.right("blocks of rows that fit the cache")
def in_blocks(values, scales, x):
    blocks = [block.to(x.dtype) @ x for block in values.split(ROWS)]
    return torch.cat(blocks) * scales


@answers.right("the whole matrix converted")
def converted(values, scales, x):
    return values.to(x.dtype) @ x * scales


@answers.right("einsum")
def by_einsum(values, scales, x):
    return torch.einsum("rc,c,r->r", values.to(x.dtype), x, scales)


@answers.right("blocks written into the result")
def into_the_result(values, scales, x):
    result = torch.empty_like(scales)
    for block, out in zip(values.split(ROWS), result.split(ROWS)):
        torch.mv(block.to(x.dtype), x, out=out)
    return result.mul_(scales)


@answers.right("one buffer for all blocks")
def in_one_buffer(values, scales, x):
    buffer = torch.empty(ROWS, values.shape[1], dtype=x.dtype, device=x.device)
    result = torch.empty_like(scales)
    for block, part in zip(values.split(ROWS), result.split(ROWS)):
        torch.mv(buffer[: len(block)].copy_(block), x, out=part)
    return result.mul_(scales)


@answers.wrong("a product with a thousand copies of x", "fast")
def with_many_copies(values, scales, x):
    copies = x[:, None].expand(-1, 1000)
    return (values.to(x.dtype) @ copies)[:, 0] * scales


@answers.wrong("the matrix transposed", "correct")
def transposed(values, scales, x):
    return x @ values.to(x.dtype) * scales


@answers.wrong("scales applied to columns", "correct")
def scales_of_the_columns(values, scales, x):
    return values.to(x.dtype) @ (x * scales)


@answers.wrong("scales added", "correct")
def scales_added(values, scales, x):
    return values.to(x.dtype) @ x + scales


@answers.wrong("the weights in bfloat16", "correct")
def in_bfloat16(values, scales, x):
    return (values.bfloat16() @ x.bfloat16()).to(x.dtype) * scales


@answers.wrong("the result in float32 for every input", "correct", says="dtype")
def always_float32(values, scales, x):
    return values.float() @ x.float() * scales.float()


@answers.wrong("values read as uint8", "correct")
def unsigned(values, scales, x):
    return values.view(torch.uint8).to(x.dtype) @ x * scales


@answers.wrong("a loop over the rows", "unlooped", says="a loop still runs over it")
def row_by_row(values, scales, x):
    if not len(values):
        return torch.empty_like(scales)
    return torch.stack([row.to(x.dtype) @ x for row in values]) * scales


@answers.wrong("blocks of 8 rows", "unlooped", says="such as a loop over blocks")
def in_small_blocks(values, scales, x):
    return torch.cat([block.to(x.dtype) @ x for block in values.split(8)]) * scales


@answers.wrong("through lists", "unlooped")
def through_lists(values, scales, x):
    sums = [sum(a * b for a, b in zip(row, x.tolist())) for row in values.tolist()]
    return torch.tensor(sums, dtype=x.dtype, device=x.device) * scales


@answers.wrong("NaN replaced by 0", "correct", says="NaN in x")
def without_nan(values, scales, x):
    return values.to(x.dtype) @ x.nan_to_num() * scales


@answers.wrong("the first 4,096 columns only", "correct", says="rows of 70,000")
def first_columns(values, scales, x):
    return values[:, :4096].to(x.dtype) @ x[:4096] * scales
