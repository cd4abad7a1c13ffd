"""Answers to bias_gelu. Most wrong ones are compiled to what is written: generating code takes seconds."""

import math

import torch
import torch.nn.functional as F

from answers import AnswersTo

answers = AnswersTo("bias_gelu")

_compile_without_code = torch.compile(backend="eager")


@answers.right()
@torch.compile
def as_the_formula(x, bias):
    v = x + bias
    return 0.5 * v * (1 + torch.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)))


@torch.compile
def _gelu(v):
    return F.gelu(v, approximate="tanh")


answers.right("a compiled function inside a plain one")(lambda x, bias: _gelu(x + bias))


@answers.wrong("a backend that generates no code", "fast", says="each of 2 operations still runs on its own")
@_compile_without_code
def by_torchs_gelu(x, bias):
    return F.gelu(x + bias, approximate="tanh")


@answers.wrong(line="unlooped", says="nothing is compiled")
def not_compiled(x, bias):
    return F.gelu(x + bias, approximate="tanh")


_scaled_sum = torch.compile(lambda x, bias: (x + bias) * 0.5)


@answers.wrong(
    "only the first operations compiled", "fast", says="outside of it, 3 operations (mul, gelu) still run one by one"
)
def half_compiled(x, bias):
    return F.gelu(_scaled_sum(x, bias) * 2.0, approximate="tanh") * 1.0


@answers.wrong("a print between two operations", "unlooped", says="into 2 graphs")
@_compile_without_code
def printing(x, bias):
    v = x + bias
    print("bias added", flush=True)
    return F.gelu(v, approximate="tanh")


@answers.wrong("a branch on the values", "unlooped", says="into 2 graphs")
@_compile_without_code
def branching(x, bias):
    v = x + bias
    if v.numel() and v.max().item() > 1e9:
        return F.gelu(v.clone(), approximate="tanh")
    return F.gelu(v, approximate="tanh")


@answers.wrong("reset in each call", "unlooped", says="torch.compiler.reset() discards every trace")
def resetting(x, bias):
    torch.compiler.reset()
    return by_torchs_gelu(x, bias)


@answers.wrong("an unrolled loop over rows", "unlooped", says="the number grows with the input")
@_compile_without_code
def row_by_row(x, bias):
    rows = [F.gelu(row + bias, approximate="tanh") for row in x]
    return torch.stack(rows) if rows else x.clone()


@answers.wrong("NaN replaced by 0", "correct", says="NaN and infinity")
@_compile_without_code
def without_nan(x, bias):
    return F.gelu(x + bias, approximate="tanh").nan_to_num(nan=0.0, posinf=torch.inf, neginf=-torch.inf)


@answers.wrong("0 below -4.9", "correct", says="values of −5.5")
@_compile_without_code
def zero_below_a_limit(x, bias):
    v = x + bias
    return torch.where(v < -4.9, 0, F.gelu(v, approximate="tanh")).to(v.dtype)
