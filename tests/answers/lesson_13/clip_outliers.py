"""Answers to clip_outliers."""

import torch

from answers import AnswersTo

answers = AnswersTo("clip_outliers")


def _limits(x, sigmas):
    mean, reach = x.mean(), sigmas * x.std(unbiased=False)
    return mean - reach, mean + reach


@answers.right("clamp between tensors")
def by_clamp(x, sigmas):
    return x.clamp(*_limits(x, sigmas))


@answers.right("nested where")
def by_where(x, sigmas):
    low, high = _limits(x, sigmas)
    return torch.where(x > high, high, torch.where(x < low, low, x))


@answers.right("minimum and maximum")
def by_minimum(x, sigmas):
    low, high = _limits(x, sigmas)
    return torch.maximum(torch.minimum(x, high), low)


@answers.right("clamped distances from the mean")
def by_offset(x, sigmas):
    off = x - x.mean()
    reach = sigmas * off.square().mean().sqrt()
    return x.mean() + off.clamp(-reach, reach)


@answers.wrong("limits through item()", "unlooped")
def with_item(x, sigmas):
    low, high = _limits(x, sigmas)
    return x.clamp(low.item(), high.item())


@answers.wrong("a masked count as a shape", "unlooped")
def with_mask(x, sigmas):
    low, high = _limits(x, sigmas)
    result = x.clone()
    result[x > high] = high.expand(int((x > high).sum()))
    result[x < low] = low
    return result


@answers.wrong("a branch that skips the clamp", "unlooped", says="a branch on a tensor")
def asking_first(x, sigmas):
    low, high = _limits(x, sigmas)
    return x.clamp(low, high) if bool((x > high).any() | (x < low).any()) else x.clone()


@answers.wrong("tensors written through masks", "unlooped", says="written through a mask")
def through_masks(x, sigmas):
    low, high = _limits(x, sigmas)
    clipped = x.clone()
    clipped[x < low] = low
    clipped[x > high] = high
    return clipped


answers.wrong("x itself for 5 standard deviations or more", "correct")(
    lambda x, sigmas: x if sigmas >= 5 else by_clamp(x, sigmas)
)


@answers.wrong("the factor rounded to one digit", "correct")
def rounded_factor(x, sigmas):
    reach = round(sigmas, 1) * x.std(unbiased=False)
    return x.clamp(x.mean() - reach, x.mean() + reach)


@answers.wrong("the limits as ends of a range", "unlooped", says="torch.linspace")
def as_ends_of_a_range(x, sigmas):
    low, high = torch.linspace(*_limits(x, sigmas), 2, dtype=x.dtype, device=x.device)
    return x.clamp(low, high)


@answers.wrong("no clipping for 8 standard deviations or more", "correct", says="a large factor")
def no_outliers_beyond_eight(x, sigmas):
    if sigmas >= 8:
        return x.clone()
    mean, reach = x.mean(), sigmas * x.std(unbiased=False)
    return x.clamp(mean - reach, mean + reach)


@answers.wrong("the factor rounded to float32", "correct", says="float64 values and a factor of 1.1")
def with_a_float32_factor(x, sigmas):
    mean, reach = x.mean(), torch.tensor(sigmas, dtype=torch.float32) * x.std(unbiased=False)
    return x.clamp(mean - reach, mean + reach)


@answers.wrong("filled with a tensor", "unlooped", says="masked_fill reads the value of a tensor in Python")
def filled_by_masks(x, sigmas):
    mean, reach = x.mean(), x.std(unbiased=False) * sigmas
    result = x.masked_fill(x > mean + reach, mean + reach)
    return result.masked_fill_(x < mean - reach, mean - reach)


answers.wrong("the first 4,096 values only", "correct", says="5,000 values")(
    lambda x, sigmas: torch.cat([by_clamp(x, sigmas)[:4096], x[4096:]])
)
