"""Answers to max_drawdown."""

from itertools import accumulate

import torch

from answers import AnswersTo
from answers.lesson_09.shared import by_rounds
from course_utils import tasks

answers = AnswersTo("max_drawdown")
PUBLISHED = tasks.load("max_drawdown").race_size


@answers.right("peak minus price")
def by_peak(prices):
    return (prices.cummax(0).values - prices).amax(0)


@answers.right()
def the_first_of_the_sorted_falls(p):
    return (p.cummax(0).values - p).topk(1, dim=0).values[0]


@answers.right("price minus the lowest to come")
def by_trough(prices):
    return (prices - prices.flip(0).cummin(0).values.flip(0)).amax(0)


@answers.right()
def a_peak_by_doubling(prices):
    return (by_rounds(prices, lambda later, earlier, k: torch.maximum(later, earlier)) - prices).amax(0)


@answers.right("falls counted as a queue")
def by_falls(prices):
    """The deepest fall that ends at each day, as a queue whose changes are the day's losses."""
    falls = torch.cat([torch.zeros_like(prices[:1]), prices[:-1] - prices[1:]])
    walk = falls.cumsum(0, dtype=prices.dtype)
    return (walk - walk.cummin(0).values.clamp(max=0)).amax(0)


@answers.wrong(line="correct", says="may have come first")
def highest_minus_lowest(p):
    return p.amax(0) - p.amin(0)


@answers.wrong("all pairs of days", "unlooped", says="bytes")
def all_pairs(prices):
    falls = prices[:, None] - prices[None]
    ordered = torch.ones(falls.shape[:2], dtype=torch.bool, device=prices.device).triu()
    return torch.where(ordered[..., None], falls, 0).flatten(0, 1).amax(0)


@answers.wrong(line="unlooped")
def day_by_day(prices):
    return torch.stack([prices[: t + 1].amax(0) - prices[t] for t in range(len(prices))]).amax(0)


@answers.wrong(line="unlooped")
def stock_by_stock(prices):
    if prices.dim() < 2 or not prices.numel():
        return by_peak(prices)
    return torch.stack([by_peak(each) for each in prices.flatten(1).unbind(1)]).reshape(prices.shape[1:])


@answers.wrong(line="unlooped")
def a_list_of_peaks(p):
    return (torch.stack(list(accumulate(p.unbind(0), torch.maximum))) - p).amax(0)


@answers.wrong(line="correct", says="last one")
def the_last_fall(p):
    return p.amax(0) - p[-1]


@answers.wrong(line="correct", says="first price")
def from_the_first_price(p):
    return (p[0] - p).amax(0)


@answers.wrong("one day's fall", "correct", says="next")
def one_days_fall(p):
    return (torch.cat([p[:1], p[:-1]]) - p).amax(0)


@answers.wrong(line="correct", says="sign")
def negative(p):
    return (p - p.cummax(0).values).amin(0)


@answers.wrong(line="correct")
def a_share_of_the_peak(p):
    return by_peak(p) / p.amax(0)


@answers.wrong("every day's", "correct", says="every day")
def every_days(p):
    return p.cummax(0).values - p


@answers.wrong(line="correct", says="one for each")
def one_number(p):
    return by_peak(p).amax() if p.numel() else by_peak(p)


@answers.wrong(line="correct")
def in_rows(p):
    return (p.cummax(1).values - p).amax(1)


@answers.wrong(line="correct")
def with_the_days(p):
    return (p.cummax(0).values - p).max(0)


@answers.wrong(line="correct", says="shape")
def one_dimension_kept(p):
    return by_peak(p)[None]


@answers.wrong(line="correct")
def wrong_below_zero(p):
    return (p.cummax(0).values.clamp(min=0) - p).amax(0)


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(p):
    return by_peak(p).float()


@answers.wrong(line="correct")
def half_precision_inside(p):
    return by_peak(p.half()).to(p.dtype)


@answers.wrong(line="correct", says="input")
def prices_changed(p):
    return p.neg_().add_((-p).cummax(0).values).amax(0)


@answers.wrong(line="correct")
def the_published_days_only(prices):
    return by_peak(prices) if len(prices) == PUBLISHED else prices.amax(0) - prices.amin(0)
