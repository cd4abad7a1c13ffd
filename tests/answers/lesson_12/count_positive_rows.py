"""Answers to count_positive_rows. Most wrong ones are compiled to what is written: generating code takes seconds."""

import torch

from answers import AnswersTo

answers = AnswersTo("count_positive_rows")

_compile_without_code = torch.compile(backend="eager")


@answers.right()
@torch.compile
def three_operations(x):
    return (x.sum(1) > 0).sum()


@answers.wrong("a backend that generates no code", "fast", says="leave out `backend=`")
@torch.compile(backend="aot_eager")
def counted_by_count_nonzero(x):
    return torch.count_nonzero(x.sum(dim=1) > 0)


@answers.right()
@torch.compile(fullgraph=True)
def by_where(x):
    return torch.where(x.sum(1) > 0, 1, 0).sum()


@answers.wrong("the compiled loop", "unlooped", says="the compiler gave up")
@_compile_without_code
def slow_loop(x):
    count = 0
    for row in x:
        if row.sum().item() > 0:
            count += 1
    return torch.tensor(count)


@answers.wrong("a print between two operations", "unlooped", says="into 2 graphs")
@_compile_without_code
def still_printing(x):
    sums = x.sum(1)
    print("summed", flush=True)
    return (sums > 0).sum()


@answers.wrong("a print at the start", "unlooped", says="runs Python before or after it")
@_compile_without_code
def announced(x):
    print("starting", flush=True)
    return (x.sum(1) > 0).sum()


@answers.wrong("item() at the end", "unlooped", says="a graph ends at")
@_compile_without_code
def by_item(x):
    return torch.tensor((x.sum(1) > 0).sum().item())


@answers.wrong("an unrolled loop over rows", "unlooped", says="the number grows with the input")
@_compile_without_code
def unrolled(x):
    count = torch.zeros((), dtype=torch.int64)
    for row in x:
        count = count + (row.sum() > 0)
    return count


answers.wrong("not compiled", "unlooped", says="nothing is compiled")(lambda x: (x.sum(1) > 0).sum())


@answers.wrong("a Python number", "correct")
@_compile_without_code
def as_a_number(x):
    return int((x.sum(1) > 0).sum())


@answers.wrong("a count in int16", "correct", says="rows that all count")
@torch.compile
def in_int16(x):
    return (x.sum(1) > 0).sum(dtype=torch.int16).long()


@answers.wrong("sums of the first 4,096 columns", "correct", says="5,000 columns")
@torch.compile
def by_the_first_columns(x):
    return (x[:, :4096].sum(1) > 0).sum()
