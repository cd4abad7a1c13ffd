"""Answers to ratio_interval."""

import statistics

import numpy as np
import torch

from answers import AnswersTo

answers = AnswersTo("ratio_interval")


def _random_rounds(rounds, resamples, generator):
    return torch.randint(rounds, (resamples, rounds), generator=generator)


def _ratio_and_interval(ratios, medians):
    ends = torch.tensor([0.025, 0.975], dtype=medians.dtype)
    return torch.cat([ratios.quantile(0.5).view(1), medians.quantile(ends)])


def _with_low_and_high(low, high, slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    medians = ratios[_random_rounds(len(ratios), resamples, generator)].quantile(0.5, dim=1)
    return torch.stack([ratios.quantile(0.5), medians.quantile(low), medians.quantile(high)])


@answers.right("quantiles along an axis")
def by_quantile(*inputs):
    return _with_low_and_high(0.025, 0.975, *inputs)


@answers.right("sort")
def by_sorting(slow_s, fast_s, resamples, generator):
    ratios, rounds = slow_s / fast_s, len(slow_s)
    drawn = ratios.take(_random_rounds(rounds, resamples, generator)).sort(dim=1).values
    return _ratio_and_interval(ratios, (drawn[:, (rounds - 1) // 2] + drawn[:, rounds // 2]) / 2)


@answers.right("pairs resampled, then divided")
def from_drawn_pairs(slow_s, fast_s, resamples, generator):
    picks = _random_rounds(len(slow_s), resamples, generator)
    return _ratio_and_interval(slow_s / fast_s, torch.nanquantile(slow_s[picks] / fast_s[picks], 0.5, dim=1))


@answers.right("gather")
def by_gathering(slow_s, fast_s, resamples, generator):
    ratios = torch.div(slow_s, fast_s)
    picks = _random_rounds(len(ratios), resamples, generator)
    return _ratio_and_interval(ratios, ratios.expand(resamples, -1).gather(1, picks).quantile(0.5, dim=1))


@answers.right("kthvalue")
def by_kth_value(slow_s, fast_s, resamples, generator):
    ratios, rounds = slow_s / fast_s, len(slow_s)
    drawn = ratios[_random_rounds(rounds, resamples, generator)]
    low, high = drawn.kthvalue((rounds + 1) // 2, 1).values, drawn.kthvalue(rounds // 2 + 1, 1).values
    return _ratio_and_interval(ratios, (low + high) / 2)


answers.right("float64 inside")(lambda s, f, *r: by_quantile(s.double(), f.double(), *r).to(s.dtype))


@answers.wrong("a loop over rounds", "unlooped")
def by_rounds(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    picks, rounds = _random_rounds(len(ratios), resamples, generator), len(ratios)
    drawn = torch.stack([ratios[column] for column in picks.unbind(1)], dim=1).sort(dim=1).values
    return _ratio_and_interval(ratios, (drawn[:, (rounds - 1) // 2] + drawn[:, rounds // 2]) / 2)


@answers.wrong("joined by torch.tensor", "unlooped", says="torch.stack")
def joined_by_values(slow_s, fast_s, resamples, generator):
    middle, low, high = by_quantile(slow_s, fast_s, resamples, generator)
    return torch.tensor([middle, low, high], dtype=slow_s.dtype)


@answers.wrong("a loop over resamples", "unlooped")
def resample_by_resample(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    medians = [ratios[picks].quantile(0.5) for picks in _random_rounds(len(ratios), resamples, generator)]
    return _ratio_and_interval(ratios, torch.stack(medians))


@answers.wrong("plain Python", "unlooped")
def in_plain_python(slow_s, fast_s, resamples, generator):
    ratios = [slow / fast for slow, fast in zip(slow_s.tolist(), fast_s.tolist())]
    drawn = _random_rounds(len(ratios), resamples, generator).tolist()
    medians = [statistics.median(ratios[pick] for pick in picks) for picks in drawn]
    ends = np.quantile(medians, [0.025, 0.975]).tolist()
    return torch.tensor([statistics.median(ratios), *ends], dtype=slow_s.dtype)


answers.wrong("the ends of the interval swapped", "correct")(lambda *inputs: _with_low_and_high(0.975, 0.025, *inputs))


@answers.wrong(line="correct")
def resamples_of_half_the_rounds(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    picks = torch.randint(len(ratios), (resamples, -(-len(ratios) // 2)), generator=generator)
    return _ratio_and_interval(ratios, ratios[picks].quantile(0.5, dim=1))


@answers.wrong("the median of the medians", "correct")
def median_of_the_medians(slow_s, fast_s, resamples, generator):
    medians = (slow_s / fast_s)[_random_rounds(len(slow_s), resamples, generator)].quantile(0.5, dim=1)
    return _ratio_and_interval(medians, medians)


@answers.wrong(line="correct", says="draws nothing")
def another_generator(s, f, n, _):
    return by_quantile(s, f, n, torch.Generator())


answers.wrong("no generator", "correct", says="draws nothing")(lambda s, f, n, _: by_quantile(s, f, n, None))
answers.wrong("a list of three tensors", "correct")(lambda *i: list(by_quantile(*i)))
answers.wrong("at least 1", "correct", says="ratios below 1")(lambda *i: by_quantile(*i).clamp(min=1))


@answers.wrong("at most 4,096 resamples", "correct", says="4,200 resamples")
def of_4096_resamples(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    medians = ratios[_random_rounds(len(ratios), resamples, generator)[:4096]].quantile(0.5, dim=1)
    return _ratio_and_interval(ratios, medians)
