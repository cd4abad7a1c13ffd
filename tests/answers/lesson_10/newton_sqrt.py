"""Answers to newton_sqrt."""

import torch

from answers import AnswersTo

answers = AnswersTo("newton_sqrt")


@answers.right("where")
def by_where(x, steps):
    y = x.clone()
    for _ in range(steps):
        y = torch.where(y * y == x, y, (y + x / y) / 2)
    return y


@answers.right("masked steps")
def by_a_masked_step(x, steps):
    y = x.clone()
    for _ in range(steps):
        is_done = y * y == x
        half = ((y + x / y) / 2).masked_fill(is_done, 0)
        y = half + torch.where(is_done, y, torch.zeros_like(y))
    return y


@answers.wrong("NaN replaced at the end", "correct")
def nan_replaced(x, steps):
    y = x.clone()
    for _ in range(steps):
        y = (y + x / y) / 2
    return y.nan_to_num(0.0)


@answers.wrong(line="correct")
def start_at_1(x, steps):
    y = torch.ones_like(x)
    for _ in range(steps):
        y = torch.where(y * y == x, y, (y + x / y) / 2)
    return y


@answers.wrong("the reciprocal of y, which overflows", "correct", says="below 1e-4")
def by_reciprocals(x, steps):
    y = x.clone()
    for _ in range(steps):
        y = torch.where(y * y == x, y, (y + x * y.reciprocal()) / 2)
    return y


answers.wrong("at most 100 steps", "correct", says="450 steps")(lambda x, steps: by_where(x, min(steps, 100)))


@answers.wrong("x overwritten", "correct")
def in_place(x, steps):
    start = x.clone()
    for _ in range(steps):
        x.copy_(torch.where(x * x == start, x, (x + start / x) / 2))
    return x


@answers.wrong("a loop over values", "unlooped")
def one_by_one(x, steps):
    return torch.stack([by_where(number, steps) for number in x]) if len(x) else x.clone()


@answers.wrong("Python numbers", "unlooped", says=".tolist() hands")
def in_python(x, steps):
    roots = []
    for number in x.tolist():
        y = number
        for _ in range(steps):
            if y * y == number:
                break
            y = (y + number / y) / 2
        roots.append(y)
    return torch.tensor(roots, dtype=x.dtype, device=x.device)


@answers.wrong("the first 4,096 values only", "correct", says="4,200 values")
def of_4096_values(x, steps):
    return torch.cat([by_where(x[:4096], steps), x[4096:]])
