"""Answers to compress_gradient."""

import torch

from answers import AnswersTo

answers = AnswersTo("compress_gradient")
answers.without("rounded to float32 inside")  # The inputs are no wider.


@answers.right("in place")
def in_place(gradient, residual, packed):
    residual.add_(gradient)
    scale = residual.abs().mean()
    positive = residual >= 0
    weights = 1 << torch.arange(8, dtype=torch.uint8, device=packed.device)
    torch.sum(positive.view(-1, 8) * weights, 1, dtype=torch.uint8, out=packed)
    residual.sub_(torch.where(positive, scale, -scale))
    return scale


@answers.right("bit shifts and a norm")
def by_shifts(gradient, residual, packed):
    residual += gradient
    scale = torch.linalg.vector_norm(residual, 1) / len(residual)
    positive = residual >= 0
    shifts = torch.arange(8, dtype=torch.uint8, device=packed.device)
    packed.copy_((positive.view(-1, 8).to(torch.uint8) << shifts).sum(1))
    residual.sub_((positive.to(residual.dtype) * 2 - 1) * scale)
    return scale


@answers.wrong("signs of the gradient", "correct")
def signs_of_the_gradient(gradient, residual, packed):
    signs = gradient >= 0
    scale = in_place(gradient, residual, packed)
    weights = 1 << torch.arange(8, dtype=torch.uint8, device=packed.device)
    packed.copy_((signs.view(-1, 8) * weights).sum(1))
    return scale


@answers.wrong("0 counts as negative", "correct", says="values of 0")
def zero_as_negative(gradient, residual, packed):
    values = gradient + residual
    scale = in_place(gradient, residual, packed)
    weights = 1 << torch.arange(8, dtype=torch.uint8, device=packed.device)
    packed.copy_(((values > 0).view(-1, 8) * weights).sum(1))
    residual.copy_(values - torch.where(values > 0, scale, -scale))
    return scale


@answers.wrong("no error for values of 0", "correct", says="values of 0")
def by_sign(gradient, residual, packed):
    values = gradient + residual
    scale = in_place(gradient, residual, packed)
    residual.copy_(values - scale * values.sign())
    return scale


@answers.wrong("the sign bit, which −0 has too", "correct", says="values of 0")
def by_sign_bit(gradient, residual, packed):
    positive = ~(gradient + residual).signbit()
    scale = in_place(gradient, residual, packed)
    weights = 1 << torch.arange(8, dtype=torch.uint8, device=packed.device)
    packed.copy_((positive.view(-1, 8) * weights).sum(1))
    return scale


@answers.wrong("half the scale", "correct")
def half_the_scale(gradient, residual, packed):
    return in_place(gradient, residual, packed) / 2


@answers.wrong("a loop over the bytes", "unlooped")
def a_loop(gradient, residual, packed):
    scale = (gradient + residual).abs().mean()
    for byte in range(len(packed)):
        part = slice(8 * byte, 8 * byte + 8)
        values = gradient[part] + residual[part]
        positive = values >= 0
        packed[byte] = (positive * (1 << torch.arange(8, dtype=torch.uint8, device=packed.device))).sum()
        residual[part] = values - torch.where(positive, scale, -scale)
    return scale


@answers.right("sign bits of int32, without −0")
def sign_bits(gradient, residual, packed):
    residual.add_(gradient).add_(0.0)
    scale = residual.abs().mean()
    positive = (residual.view(torch.int32) >> 31) + 1
    shifts = torch.arange(8, dtype=torch.int32, device=packed.device)
    packed.copy_((positive.view(-1, 8) << shifts).sum(1))
    residual.sub_(torch.where(positive > 0, scale, -scale))
    return scale


@answers.wrong("tiny values count as 0", "correct", says="1e-30")
def tiny_as_zero(gradient, residual, packed):
    values = gradient + residual
    return in_place(values.masked_fill(values.abs() < 1e-6, 0), residual.zero_(), packed)


@answers.wrong("magnitudes from squares", "correct", says="about 1e30")
def from_squares(gradient, residual, packed):
    values = gradient + residual
    in_place(gradient, residual, packed)
    scale = values.square().sqrt().mean()
    residual.copy_(values - torch.where(values >= 0, scale, -scale))
    return scale


answers.wrong("at most 65,536 values", "correct", says="72,000 values")(
    lambda gradient, residual, packed: in_place(gradient[: 2**16], residual[: 2**16], packed[: 2**13])
)
