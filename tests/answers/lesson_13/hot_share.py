"""Answers to hot_share."""

import torch

from answers import AnswersTo

answers = AnswersTo("hot_share")


@answers.right("the sum over the length")
def by_sum(readings, limit):
    return (readings > limit).sum().to(readings.dtype) / len(readings)


@answers.wrong("boolean indexing", "unlooped", says="mask")
def through_a_mask(readings, limit):
    return readings.new_ones(()) * len(readings[readings > limit]) / len(readings)


@answers.wrong("a Python number", "correct", says="expected a torch tensor")
def as_a_number(readings, limit):
    return (readings > limit).sum().item() / len(readings)


@answers.wrong("readings at the limit count", "correct", says="a reading exactly at the limit")
def at_or_above_the_limit(readings, limit):
    return (readings >= limit).to(readings.dtype).mean()


@answers.wrong("an int16 count", "correct", says="33,000 hot readings")
def counted_in_int16(readings, limit):
    return (readings > limit).sum(dtype=torch.int16).to(readings.dtype) / len(readings)


answers.wrong("the first 500 readings only", "correct", says="a cold one")(
    lambda readings, limit: by_sum(readings[:500], limit)
)


@answers.wrong("a quotient of integers, which is float32", "correct", says="float64")
def integers_divided(readings, limit):
    return (readings > limit).sum() / len(readings)


@answers.wrong("a float32 quotient converted to the dtype", "correct", says="float64")
def converted_quotient(readings, limit):
    return ((readings > limit).sum() / len(readings)).to(readings.dtype)


@answers.wrong("a steep ramp instead of a comparison", "correct", says="float64")
def steep_ramp(readings, limit):
    return ((readings - limit) * 1e6).clamp(0, 1).mean()


@answers.wrong("one minus the share at or below the limit, which counts NaN as hot", "correct", says="NaN")
def one_minus_the_rest(readings, limit):
    return 1 - (readings <= limit).to(readings.dtype).mean()


@answers.wrong("the limit as an integer", "correct", says="between two integers")
def whole_limit(readings, limit):
    return (readings > int(limit)).to(readings.dtype).mean()


@answers.wrong("the limit in float16", "correct", says="between two integers")
def narrow_limit(readings, limit):
    return (readings > torch.tensor(limit, dtype=torch.float16, device=readings.device)).to(readings.dtype).mean()


answers.wrong("readings in proportion to the limit", "correct", says="a limit below 0")(
    lambda readings, limit: (readings / limit > 1).to(readings.dtype).mean()
)


answers.wrong("the limit in float32", "correct", says="float64 readings")(
    lambda readings, limit: by_sum(readings, torch.tensor(limit, dtype=torch.float32, device=readings.device))
)
