"""Answers to max_drawdown."""

from itertools import accumulate

import torch

from answers import AnswersTo
from answers.lesson_09.shared import by_rounds

answers = AnswersTo("max_drawdown")


@answers.right("peak minus price")
def by_peak(prices):
    return (prices.cummax(0).values - prices).amax(0)


answers.right("topk of the falls")(lambda p: (p.cummax(0).values - p).topk(1, dim=0).values[0])


@answers.right("price minus the lowest later price")
def by_trough(prices):
    return (prices - prices.flip(0).cummin(0).values.flip(0)).amax(0)


@answers.right()
def a_peak_by_doubling(prices, rounds=64):
    return (by_rounds(prices, lambda later, earlier, k: torch.maximum(later, earlier), rounds) - prices).amax(0)


answers.wrong("twelve rounds of doubling, enough for 4,096 days", "correct", says="16,385 days")(
    lambda prices: a_peak_by_doubling(prices, 12)
)
answers.wrong("an even number of days only", "correct", says="16,385 days")(
    lambda p: by_peak(p if len(p) < 20 else p[: len(p) // 2 * 2])
)


@answers.right("daily losses as a queue")
def by_falls(prices):
    """Return the deepest fall; the falls that end at each day are a queue whose changes are the daily losses."""
    falls = torch.cat([torch.zeros_like(prices[:1]), prices[:-1] - prices[1:]])
    walk = falls.cumsum(0, dtype=prices.dtype)
    return (walk - walk.cummin(0).values.clamp(max=0)).amax(0)


@answers.wrong("all pairs of days", "unlooped", says="bytes")
def all_pairs(prices):
    if len(prices) > 2000:  # For more days, the check would stop the table because it takes too much memory.
        return by_peak(prices)
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


answers.wrong("the fall as a share of the peak", "correct")(lambda p: by_peak(p) / p.amax(0))
answers.wrong("through float64", "correct", says="dtype int64")(lambda p: by_peak(p.double()).to(p.dtype))
answers.wrong("along axis 1", "correct")(lambda p: (p.cummax(1).values - p).amax(1))
answers.wrong("values and days", "correct")(lambda p: (p.cummax(0).values - p).max(0))
answers.wrong("an extra axis", "correct", says="shape")(lambda p: by_peak(p)[None])
answers.wrong("wrong for negative prices", "correct")(lambda p: (p.cummax(0).values.clamp(min=0) - p).amax(0))


@answers.wrong("zeros without a device for one day", "correct", says="torch.zeros(…) without a device")
def zeros_for_one_day(prices):
    if len(prices) == 1:
        return torch.zeros(prices.shape[1], dtype=prices.dtype)
    return (prices.cummax(0).values - prices).amax(0)


@answers.wrong("the first 4,096 columns only", "correct", says="5,000 columns")
def of_4096_columns(prices):
    return torch.cat([by_peak(prices[:, :4096]), torch.zeros_like(prices[0, 4096:])])
