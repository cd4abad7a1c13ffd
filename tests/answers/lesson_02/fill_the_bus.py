"""Answers to fill_the_bus."""

import torch

from answers import AnswersTo

answers = AnswersTo("fill_the_bus")
answers.exception("nothing returned", "correct", says="Nothing was written into out")


@answers.right("blocks of rows, one spare block")
def in_blocks(x, out):
    spare = x.new_empty(64, x.shape[1])
    for part, place in zip(x.split(64), out.split(64)):
        t = spare[: len(part)]
        torch.clamp(part, 0, 1, out=t)
        torch.mul(t, -2, out=place).add_(3).mul_(t).mul_(t)


@answers.right("blocks of 128 rows, with the second factor in the spare block")
def in_few_blocks(x, out):
    rows = max(1, min(128, len(x)))
    spare = torch.empty(rows, x.shape[1], dtype=x.dtype, device=x.device)
    for start in range(0, len(x), rows):
        place = out[start : start + rows]
        square = spare[: len(place)]
        torch.clamp(x[start : start + rows], 0, 1, out=place)
        torch.mul(place, place, out=square)
        place.mul_(-2).add_(3).mul_(square)


@answers.right("3t² − 2t³")
def square_and_cube(x, out):
    spare = x.new_empty(64, x.shape[1])
    for part, place in zip(x.split(64), out.split(64)):
        cube = spare[: len(part)]
        torch.clamp(part, 0, 1, out=cube)
        torch.mul(cube, cube, out=place)
        cube.mul_(place)
        place.mul_(3).sub_(cube, alpha=2)


@answers.wrong("x clamped in place", "correct", says="write into out only")
def through_x(x, out):
    x.clamp_(0, 1)
    torch.mul(x, -2, out=out).add_(3).mul_(x).mul_(x)


@answers.wrong(line="correct")
def clamped_last(x, out):
    torch.mul(x, -2, out=out).add_(3).mul_(x).mul_(x).clamp_(0, 1)


@answers.wrong("the last factor from x, clamped last", "correct", says="infinity at both ends")
def times_x(x, out):
    torch.clamp(x, 0, 1, out=out)
    out.addcmul_(out, out, value=-2 / 3).mul_(3).mul_(x).clamp_(0, 1)


@answers.wrong("drops the last rows", "correct")
def whole_blocks_only(x, out):
    spare = x.new_empty(64, x.shape[1])
    for i in range(len(x) // 64):
        torch.clamp(x[64 * i : 64 * i + 64], 0, 1, out=spare)
        torch.mul(spare, -2, out=out[64 * i : 64 * i + 64]).add_(3).mul_(spare).mul_(spare)


@answers.wrong("a spare block for up to 512 columns", "correct", says="70,000 columns")
def narrow_images_only(x, out):
    spare = x.new_empty(32, 512)[:, : x.shape[1]]
    for part, place in zip(x.split(32), out.split(32)):
        t = spare[: len(part)].copy_(part).clamp_(0, 1)
        torch.mul(t, -2, out=place).add_(3).mul_(t).mul_(t)


@answers.wrong("out.data replaced", "correct", says="another memory")
def replace_the_memory(x, out):
    t = x.clamp(0, 1)
    out.data = t * t * (3 - 2 * t)


@answers.wrong("a temporary for the whole image", "unlooped", says="At size 700")
def one_spare_image(x, out):
    t = x.clamp(0, 1)
    torch.mul(t, -2, out=out).add_(3).mul_(t).mul_(t)


@answers.wrong("a new temporary for each block", "unlooped", says="At size 700")
def new_spare_blocks(x, out):
    for part, place in zip(x.split(64), out.split(64)):
        t = part.clamp(0, 1)
        torch.mul(t, -2, out=place).add_(3).mul_(t).mul_(t)


@answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")
def row_by_row(x, out):
    t = x.new_empty(x.shape[1])
    for row, place in zip(x, out):
        torch.clamp(row, 0, 1, out=t)
        torch.mul(t, -2, out=place).add_(3).mul_(t).mul_(t)


@answers.wrong("flattened, although the buffer has gaps", "correct", says="gaps in memory")
def flattened(x, out):
    values, places = x.reshape(-1), out.view(-1)
    spare = x.new_empty(1 << 15)
    for part, place in zip(values.split(1 << 15), places.split(1 << 15)):
        t = spare[: len(part)]
        torch.clamp(part, 0, 1, out=t)
        torch.mul(t, -2, out=place).add_(3).mul_(t).mul_(t)


@answers.wrong("at most 4,096 rows", "correct", says="5,000 rows")
def of_4096_rows(x, out):
    in_blocks(x[:4096], out[:4096])


@answers.wrong("no rows in a block if they are long", "correct", says="70,000 columns")
def blocks_of_128_kb(x, out):
    rows = 32_768 // x.shape[1]
    for part, block in zip(x.split(rows), out.split(rows)):
        t = part.clamp(0, 1)
        torch.mul(t, -2, out=block).add_(3).mul_(t).mul_(t)


@answers.wrong("NaN becomes 0", "correct", says="and NaN")
def without_nan(x, out):
    spare = x.new_empty(64, x.shape[1])
    for part, place in zip(x.split(64), out.split(64)):
        t = torch.clamp(part, 0, 1, out=spare[: len(part)]).nan_to_num_(0)
        torch.mul(t, -2, out=place).add_(3).mul_(t).mul_(t)
