"""Answers to polynomial. Most wrong ones are compiled to what is written: generating code takes seconds."""

import torch

from answers import AnswersTo

answers = AnswersTo("polynomial")

_compile_without_code = torch.compile(backend="eager")


@answers.right()
@torch.compile
def horner(x, coefficients):
    result = torch.zeros_like(x)
    for c in coefficients.unbind()[::-1]:
        result = result * x + c
    return result


@answers.right()
@torch.compile
def by_growing_powers(x, coefficients):
    result, power = torch.zeros_like(x), torch.ones_like(x)
    for k in range(len(coefficients)):
        result = result + coefficients[k] * power
        power = power * x
    return result


@answers.wrong("values read into Python", "unlooped", says=".tolist() hands")
@_compile_without_code
def from_a_list(x, coefficients):
    result = torch.zeros_like(x)
    for c in coefficients.tolist()[::-1]:
        result = result * x + c
    return result


@answers.wrong(line="unlooped", says="nothing is compiled")
def not_compiled(x, coefficients):
    result = torch.zeros_like(x)
    for c in coefficients.unbind()[::-1]:
        result = result * x + c
    return result


@answers.wrong("a branch on the coefficients", "unlooped", says="the compiler gave up")
@_compile_without_code
def zeros_left_out(x, coefficients):
    result = torch.zeros_like(x)
    for c in coefficients.flip(0):
        result = result * x
        if c != 0:
            result = result + c
    return result


@answers.wrong("NaN replaced by 0", "correct", says="a point that is NaN")
@_compile_without_code
def without_nan(x, coefficients):
    result = torch.zeros_like(x)
    for c in coefficients.unbind()[::-1]:
        result = (result * x).nan_to_num() + c
    return result


@answers.wrong("six coefficients only", "correct")
@_compile_without_code
def of_six(x, c):
    return ((((c[5] * x + c[4]) * x + c[3]) * x + c[2]) * x + c[1]) * x + c[0]
