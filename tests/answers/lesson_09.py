"""Answers to the exercises of lesson 09."""

import math
from itertools import accumulate

import torch
import torch.nn.functional as F

from answers.table import right, wrong
from answers.tricks import cached_first, forging_clocks, forging_comparisons, forging_the_check, only_for
from course_utils.tasks.lesson_09_scans.task_1_running_total import TASK as RUNNING_TOTAL
from course_utils.tasks.lesson_09_scans.task_1_running_total import running_total_slow
from course_utils.tasks.lesson_09_scans.task_2_decayed_sum import decayed_sum_slow
from course_utils.tasks.lesson_09_scans.task_3_max_drawdown import max_drawdown_slow
from course_utils.tasks.lesson_09_scans.task_4_queue_wait import queue_wait_slow

ROWS = RUNNING_TOTAL.race_size


def by_rounds(x, step):
    """Doubling: ``step(later, earlier, k)`` adds to each row what the one k rows before it knows."""
    y, k = x.clone(), 1
    while k < len(x):
        y = torch.cat([y[:k], step(y[k:], y[:-k], k)])
        k *= 2
    return y


def in_pairs(combine, parts):
    """The scan of pairs that the lesson teaches."""
    n = len(parts[0])
    if n < 2:
        return [part.clone() for part in parts]
    odd = in_pairs(combine, combine([part[:-1:2] for part in parts], [part[1::2] for part in parts]))
    even = combine([part[: (n - 1) // 2] for part in odd], [part[2::2] for part in parts])
    results = [torch.empty_like(part) for part in parts]
    for result, part, at_odd, at_even in zip(results, parts, odd, even):
        result[0], result[1::2], result[2::2] = part[0], at_odd, at_even
    return results


def stacked(x, step):
    """A loop over rows that keeps them in a list."""
    state, rows = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device), []
    for row in x.unbind(0):
        state = step(state, row)
        rows.append(state)
    return torch.stack(rows) if rows else torch.empty_like(x)


def column_by_column(scan):
    """A fast ``scan`` of one series, called for each column in turn."""

    def of_columns(x, *rest):
        if x.dim() < 2 or not x.numel():
            return scan(x, *rest)
        return torch.stack([scan(column, *rest) for column in x.flatten(1).unbind(1)], -1).reshape(-1, *x.shape[1:])

    return of_columns


def two_rows_at_a_time(x):
    result = torch.empty_like(x)
    total = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(0, len(x), 2):
        result[t : t + 2] = total + x[t : t + 2].cumsum(0, dtype=x.dtype)
        total = result[min(t + 1, len(x) - 1)]
    return result


# running_total


def by_cumsum(x):
    return torch.cumsum(x, dim=0, dtype=x.dtype)


def from_the_end(x):
    return x.sum(0, keepdim=True, dtype=x.dtype) - by_cumsum(x.flip(0)).flip(0) + x


def by_triangle(x):
    ones = torch.ones(len(x), len(x), dtype=x.dtype, device=x.device).tril()
    return torch.tensordot(ones, x, dims=1)


def in_a_list(x):
    rows = list(accumulate(x.flatten(1).tolist() if x.dim() > 1 else x.tolist(), lambda a, b: plus(a, b)))
    return torch.tensor(rows, dtype=x.dtype, device=x.device).reshape(x.shape)


def plus(a, b):
    return [each + other for each, other in zip(a, b)] if isinstance(a, list) else a + b


def columns_by_vmap(x):
    if x.dim() != 2 or not x.numel():
        return by_cumsum(x)
    return torch.vmap(lambda column: column.cumsum(0, dtype=x.dtype), in_dims=1, out_dims=1)(x)


right("running_total", "cumsum", by_cumsum)
right("running_total", "doubling", lambda x: by_rounds(x, lambda later, earlier, k: later + earlier))
right("running_total", "a scan in pairs", lambda x: in_pairs(lambda a, b: [a[0] + b[0]], [x])[0])
right("running_total", "cumsum, then the dtype", lambda x: x.cumsum(0).to(x.dtype))
right("running_total", "a copy summed in place", lambda x: x.clone().cumsum_(0))
right("running_total", "columns by vmap", columns_by_vmap)
wrong("running_total", "through float64", "correct", lambda x: x.double().cumsum(0).to(x.dtype))
right("running_total", "into a fresh tensor", lambda x: torch.cumsum(x, 0, out=torch.empty_like(x)))

wrong("running_total", "the slow loop itself", "unlooped", running_total_slow)
wrong("running_total", "list and stack", "unlooped", lambda x: stacked(x, torch.add))
wrong("running_total", "column by column", "unlooped", column_by_column(by_cumsum))
wrong("running_total", "two rows at a time", "unlooped", two_rows_at_a_time)
wrong("running_total", "Python lists", "unlooped", in_a_list)
wrong("running_total", "without the row itself", "correct", lambda x: by_cumsum(x) - x, says="without, the current")
wrong("running_total", "along the last dimension", "correct", lambda x: x.cumsum(-1, dtype=x.dtype), says="dimension 0")
wrong("running_total", "from the end", "correct", lambda x: by_cumsum(x.flip(0)).flip(0), says="from the end")
wrong("running_total", "int64 for int32", "correct", lambda x: x.cumsum(0), says="int64")
wrong("running_total", "the total minus what comes", "correct", from_the_end)
wrong("running_total", "a triangle of ones, which multiplies infinity by 0", "correct", by_triangle)
wrong("running_total", "float32 whatever came", "correct", lambda x: by_cumsum(x.float()), says="dtype")
wrong("running_total", "x changed", "correct", lambda x: x.cumsum_(0), says="input")
wrong("running_total", "x itself for one row", "correct", lambda x: x if len(x) == 1 else by_cumsum(x), says="view")
wrong("running_total", "half precision inside", "correct", lambda x: by_cumsum(x.half()).to(x.dtype))
wrong("running_total", "wrong for no rows", "correct", lambda x: torch.cat([x[:1], x[0] + by_cumsum(x[1:])]))
wrong("running_total", "a matrix only", "correct", lambda x: by_cumsum(x.reshape(len(x), x.shape[1])))
wrong("running_total", "the published rows only", "correct", only_for(lambda x: len(x) == ROWS, by_cumsum, torch.clone))
wrong("running_total", "a cached first answer", "correct", cached_first(by_cumsum))
wrong("running_total", "torch.allclose forged", "correct", forging_comparisons(torch.clone))
wrong("running_total", "the check forged", "correct", forging_the_check(torch.clone))
wrong("running_total", "the slow loop on a forged clock", "correct", forging_clocks(running_total_slow))


# decayed_sum


def decayed_by_doubling(x, decay):
    return by_rounds(x, lambda later, earlier, k: later + decay**k * earlier)


def decayed_in_pairs(x, decay):
    def combine(first, then):
        (a, b), (c, d) = first, then
        return [c * a, c * b + d]

    factors = torch.full((len(x), *[1] * (x.dim() - 1)), decay, dtype=x.dtype, device=x.device)
    return in_pairs(combine, [factors, x])[1]


def decayed_in_chunks(x, decay, width=64):
    flat = x.reshape(len(x), math.prod(x.shape[1:]))
    blocks = F.pad(flat, (0, 0, 0, -len(x) % width)).unflatten(0, (-1, width))
    ages = torch.arange(width, device=x.device)
    ages = ages[:, None] - ages
    weights = torch.where(ages >= 0, decay ** ages.clamp(min=0).to(x.dtype), 0)
    inside = weights @ blocks
    if not len(x):
        return torch.empty_like(x)
    ends = decayed_by_doubling(inside[:, -1], decay**width)
    fade = decay ** torch.arange(1, width + 1, dtype=x.dtype, device=x.device)
    inside[1:] += fade[:, None] * ends[:-1, None]
    return inside.flatten(0, 1)[: len(x)].reshape(x.shape)


def decayed_by_filter(x, decay, length=None):
    if x.numel() == 0:
        return torch.empty_like(x)
    needed = len(x) if decay == 1 else 1 if decay == 0 else math.ceil(math.log(1e-17) / math.log(decay))
    length = length or min(len(x), needed)
    weights = decay ** torch.arange(length - 1, -1, -1, dtype=x.dtype, device=x.device)
    series = x.reshape(len(x), -1).T[:, None]
    return F.conv1d(F.pad(series, (length - 1, 0)), weights[None, None])[:, 0].T.reshape(x.shape)


def decayed_by_rolling(x, decay):
    y, k = x.clone(), 1
    while k < len(x):
        earlier = y.roll(k, 0)
        earlier[:k] = 0
        y, k = y + decay**k * earlier, 2 * k
    return y


def decayed_by_halving(x, decay):
    if len(x) < 2:
        return x.clone()
    y = torch.empty_like(x)
    y[0] = x[0]
    y[1::2] = decayed_by_halving(x[: len(x) // 2 * 2 : 2] * decay + x[1::2], decay**2)
    y[2::2] = x[2::2] + decay * y[1:-1:2]
    return y


def decayed_by_division(x, decay):
    powers = (decay ** torch.arange(len(x), dtype=x.dtype, device=x.device)).view(-1, *[1] * (x.dim() - 1))
    return powers * torch.cumsum(x / powers, 0)


def decayed_by_matrix(x, decay):
    t = torch.arange(len(x), device=x.device)
    ages = t[:, None] - t
    weights = torch.where(ages >= 0, decay ** ages.clamp(min=0).to(x.dtype), 0)
    return torch.tensordot(weights, x, dims=1)


def decayed_by_spectrum(x, decay):
    n = len(x)
    powers = (decay ** torch.arange(n, dtype=torch.float32, device=x.device)).view(-1, *[1] * (x.dim() - 1))
    spectrum = torch.fft.rfft(x.float(), 2 * n, dim=0) * torch.fft.rfft(powers, 2 * n, dim=0)
    return torch.fft.irfft(spectrum, 2 * n, dim=0)[:n].to(x.dtype)


def decayed_in_a_list(x, decay):
    return stacked(x, lambda state, row: decay * state + row)


right("decayed_sum", "doubling", decayed_by_doubling)
wrong("decayed_sum", "a decay in float32", "correct", lambda x, decay: decayed_by_doubling(x, torch.tensor(decay)))
right("decayed_sum", "a scan in pairs", decayed_in_pairs)
right("decayed_sum", "doubling by rolling", decayed_by_rolling)
right("decayed_sum", "halving", decayed_by_halving)
right("decayed_sum", "float64 inside", lambda x, decay: decayed_by_doubling(x.double(), decay).to(x.dtype))
right("decayed_sum", "chunks", decayed_in_chunks)
right("decayed_sum", "a filter as long as the memory", decayed_by_filter)

wrong("decayed_sum", "the slow loop itself", "unlooped", decayed_sum_slow)
wrong("decayed_sum", "column by column", "unlooped", column_by_column(decayed_by_doubling))
wrong("decayed_sum", "list and stack", "unlooped", decayed_in_a_list)
wrong(
    "decayed_sum",
    "a matrix of rows × rows",
    "unlooped",
    only_for(lambda x, decay: len(x) < 2000, decayed_by_matrix, decayed_by_doubling),  # else it is stopped for its time
    says="bytes",
)
wrong("decayed_sum", "division by powers", "correct", decayed_by_division, says="Dividing by powers")
wrong(
    "decayed_sum",
    "division by powers in float64",
    "correct",
    lambda x, decay: decayed_by_division(x.double(), decay).to(x.dtype) if decay else x.clone(),
    says="0.5 over 2,000",
)
wrong("decayed_sum", "a filter of 100 rows", "correct", lambda x, d: decayed_by_filter(x, d, 100), says="0.999")
wrong("decayed_sum", "the row decayed, too", "correct", lambda x, d: d * decayed_by_doubling(x, d), says="Off by one")
wrong("decayed_sum", "an average", "correct", lambda x, d: (1 - d) * decayed_by_doubling(x, d), says="average")
wrong(
    "decayed_sum", "without the row", "correct", lambda x, d: decayed_by_doubling(x, d) - x, says="before the current"
)
wrong("decayed_sum", "nothing fades", "correct", lambda x, decay: x.cumsum(0), says="Nothing fades")
wrong(
    "decayed_sum",
    "decay in every round",
    "correct",
    lambda x, decay: by_rounds(x, lambda later, earlier, k: later + decay * earlier),
    says="decay**k",
)
wrong(
    "decayed_sum",
    "one round only",
    "correct",
    lambda x, decay: torch.cat([x[:1], x[1:] + decay * x[:-1]]),
    says="first round",
)
wrong(
    "decayed_sum",
    "along the last dimension",
    "correct",
    lambda x, decay: decayed_by_doubling(x.movedim(-1, 0), decay).movedim(0, -1),
    says="dimension 0",
)
wrong("decayed_sum", "backwards", "correct", lambda x, d: decayed_by_doubling(x.flip(0), d).flip(0), says="backwards")
wrong("decayed_sum", "a spectrum in float32", "correct", decayed_by_spectrum)
wrong("decayed_sum", "wrong for decay 0", "correct", lambda x, d: decayed_by_doubling(x, max(d, 0.01)), says="decay 0")
wrong(
    "decayed_sum",
    "float32 inside",
    "correct",
    lambda x, decay: decayed_by_doubling(x.float(), decay).to(x.dtype),
    says="float64",
)
wrong("decayed_sum", "half precision inside", "correct", lambda x, d: decayed_by_doubling(x.half(), d).to(x.dtype))
wrong("decayed_sum", "float64 whatever came", "correct", lambda x, d: decayed_by_doubling(x.double(), d), says="dtype")
wrong(
    "decayed_sum",
    "x itself for one row",
    "correct",
    lambda x, decay: x if len(x) == 1 else decayed_by_doubling(x, decay),
    says="view",
)
wrong("decayed_sum", "x changed", "correct", lambda x, d: x.copy_(decayed_by_doubling(x, d)).clone(), says="input")
wrong(
    "decayed_sum",
    "the published rows only",
    "correct",
    only_for(lambda x, decay: len(x) == ROWS, decayed_by_doubling, lambda x, decay: x.clone()),
)
wrong("decayed_sum", "a cached first answer", "correct", cached_first(decayed_by_doubling))
wrong("decayed_sum", "torch.allclose forged", "correct", forging_comparisons(lambda x, decay: x.cumsum(0)))
wrong("decayed_sum", "the check forged", "correct", forging_the_check(lambda x, decay: x.cumsum(0)))
wrong("decayed_sum", "the slow loop on a forged clock", "correct", forging_clocks(decayed_sum_slow))


# max_drawdown


def by_peak(prices):
    return (prices.cummax(0).values - prices).amax(0)


def by_trough(prices):
    return (prices - prices.flip(0).cummin(0).values.flip(0)).amax(0)


def by_falls(prices):
    """The deepest fall that ends at each day, as a queue whose changes are the day's losses."""
    falls = torch.cat([torch.zeros_like(prices[:1]), prices[:-1] - prices[1:]])
    walk = falls.cumsum(0, dtype=prices.dtype)
    return (walk - walk.cummin(0).values.clamp(max=0)).amax(0)


def day_by_day(prices):
    return torch.stack([prices[: t + 1].amax(0) - prices[t] for t in range(len(prices))]).amax(0)


def stock_by_stock(prices):
    if prices.dim() < 2 or not prices.numel():
        return by_peak(prices)
    return torch.stack([by_peak(each) for each in prices.flatten(1).unbind(1)]).reshape(prices.shape[1:])


def all_pairs(prices):
    falls = prices[:, None] - prices[None]
    ordered = torch.ones(falls.shape[:2], dtype=torch.bool, device=prices.device).triu()
    return torch.where(ordered[..., None], falls, 0).flatten(0, 1).amax(0)


right("max_drawdown", "peak minus price", by_peak)
wrong("max_drawdown", "all pairs of days", "unlooped", all_pairs, says="bytes")
right("max_drawdown", "the first of the sorted falls", lambda p: (p.cummax(0).values - p).topk(1, dim=0).values[0])
right("max_drawdown", "price minus the lowest to come", by_trough)
right(
    "max_drawdown",
    "a peak by doubling",
    lambda prices: (by_rounds(prices, lambda later, earlier, k: torch.maximum(later, earlier)) - prices).amax(0),
)

wrong("max_drawdown", "the slow loop itself", "unlooped", max_drawdown_slow)
wrong("max_drawdown", "day by day", "unlooped", day_by_day)
wrong("max_drawdown", "stock by stock", "unlooped", stock_by_stock)
wrong(
    "max_drawdown",
    "a list of peaks",
    "unlooped",
    lambda p: (torch.stack(list(accumulate(p.unbind(0), torch.maximum))) - p).amax(0),
)
wrong("max_drawdown", "highest minus lowest", "correct", lambda p: p.amax(0) - p.amin(0), says="may have come first")
wrong("max_drawdown", "the last fall", "correct", lambda p: p.amax(0) - p[-1], says="last one")
wrong("max_drawdown", "from the first price", "correct", lambda p: (p[0] - p).amax(0), says="first price")
wrong("max_drawdown", "one day's fall", "correct", lambda p: (torch.cat([p[:1], p[:-1]]) - p).amax(0), says="next")
wrong("max_drawdown", "negative", "correct", lambda p: (p - p.cummax(0).values).amin(0), says="sign")
wrong("max_drawdown", "a share of the peak", "correct", lambda p: by_peak(p) / p.amax(0))
wrong("max_drawdown", "every day's", "correct", lambda p: p.cummax(0).values - p, says="every day")
wrong(
    "max_drawdown",
    "one number",
    "correct",
    lambda p: by_peak(p).amax() if p.numel() else by_peak(p),
    says="one for each",
)
wrong("max_drawdown", "in rows", "correct", lambda p: (p.cummax(1).values - p).amax(1))
wrong("max_drawdown", "with the days", "correct", lambda p: (p.cummax(0).values - p).max(0))
wrong("max_drawdown", "one dimension kept", "correct", lambda p: by_peak(p)[None], says="shape")
wrong("max_drawdown", "wrong below zero", "correct", lambda p: (p.cummax(0).values.clamp(min=0) - p).amax(0))
wrong("max_drawdown", "float32 whatever came", "correct", lambda p: by_peak(p).float(), says="dtype")
wrong("max_drawdown", "half precision inside", "correct", lambda p: by_peak(p.half()).to(p.dtype))
wrong("max_drawdown", "prices changed", "correct", lambda p: p.neg_().add_((-p).cummax(0).values).amax(0), says="input")
wrong(
    "max_drawdown",
    "the published days only",
    "correct",
    only_for(lambda prices: len(prices) == ROWS, by_peak, lambda p: p.amax(0) - p.amin(0)),
)
wrong("max_drawdown", "a cached first answer", "correct", cached_first(by_peak))
wrong("max_drawdown", "torch.allclose forged", "correct", forging_comparisons(lambda p: p.amax(0) - p.amin(0)))
wrong("max_drawdown", "the check forged", "correct", forging_the_check(lambda p: p.amax(0) - p.amin(0)))
wrong("max_drawdown", "the slow loop on a forged clock", "correct", forging_clocks(max_drawdown_slow))


# queue_wait


def above_lowest(walk):
    return walk - walk.cummin(0).values.clamp(max=0)


def mirrored(walk):
    return walk + (-walk).cummax(0).values.clamp(min=0)


def wide_walk(change):
    return change.cumsum(0, dtype=torch.float64 if change.is_floating_point() else torch.int64)


def by_walk(change):
    return above_lowest(wide_walk(change)).to(change.dtype)


def queue_in_pairs(change):
    def combine(first, then):
        (a, b), (c, d) = first, then
        return [a + c, torch.maximum(b + c, d)]

    return in_pairs(combine, [change, change.clamp(min=0)])[1]


def queue_by_doubling(change):
    total, queue, k = change.clone(), change.clamp(min=0), 1
    while k < len(change):
        queue = torch.cat([queue[:k], torch.maximum(queue[:-k] + total[k:], queue[k:])])
        total = torch.cat([total[:k], total[:-k] + total[k:]])
        k *= 2
    return queue


def queue_in_a_list(change):
    return stacked(change, lambda queue, row: (queue + row).clamp(min=0))


def emptied_once(change):
    walk = change.cumsum(0, dtype=change.dtype)
    return walk - walk.amin(0, keepdim=True).clamp(max=0) if len(change) else walk


right("queue_wait", "walk minus its lowest point, wide", by_walk)
right("queue_wait", "walk and the peak of its mirror", lambda c: mirrored(wide_walk(c)).to(c.dtype))
right("queue_wait", "a scan in pairs", queue_in_pairs)
right("queue_wait", "pairs by doubling", queue_by_doubling)
wrong("queue_wait", "through float64", "correct", lambda c: above_lowest(c.double().cumsum(0)).to(c.dtype))

wrong("queue_wait", "the slow loop itself", "unlooped", queue_wait_slow)
wrong("queue_wait", "column by column", "unlooped", column_by_column(by_walk))
wrong("queue_wait", "list and stack", "unlooped", queue_in_a_list)
wrong("queue_wait", "held at 0 afterwards", "correct", lambda c: c.cumsum(0, dtype=c.dtype).clamp(min=0), says="owes")
wrong(
    "queue_wait",
    "the start forgotten",
    "correct",
    lambda c: c.cumsum(0, dtype=c.dtype) - c.cumsum(0, dtype=c.dtype).cummin(0).values,
    says="0 before the first step",
)
wrong("queue_wait", "below zero", "correct", lambda c: c.cumsum(0, dtype=c.dtype), says="below 0")
wrong("queue_wait", "nobody waited before", "correct", lambda c: c.clamp(min=0), says="what waited")
wrong(
    "queue_wait", "nobody is served", "correct", lambda c: c.clamp(min=0).cumsum(0, dtype=c.dtype), says="ever served"
)
wrong("queue_wait", "the lowest point of all", "correct", emptied_once)
wrong("queue_wait", "int64 for int32", "correct", lambda c: above_lowest(c.cumsum(0)), says="int64")
wrong(
    "queue_wait",
    "a float32 walk",
    "correct",
    lambda c: above_lowest(c.cumsum(0, dtype=c.dtype)),
    says="few digits",
)
wrong("queue_wait", "along the last dimension", "correct", lambda c: by_walk(c.movedim(-1, 0)).movedim(0, -1))
wrong("queue_wait", "float32 whatever came", "correct", lambda c: by_walk(c).float(), says="dtype")
wrong("queue_wait", "half precision inside", "correct", lambda c: by_walk(c.half()).to(c.dtype))
wrong("queue_wait", "whole numbers through float32", "correct", lambda c: queue_in_pairs(c.float()), says="dtype")
wrong("queue_wait", "change itself where it never sinks", "correct", lambda c: c if len(c) < 2 else by_walk(c))
wrong("queue_wait", "change changed", "correct", lambda c: above_lowest(c.cumsum_(0)), says="input")
wrong(
    "queue_wait", "wrong for no rows", "correct", lambda c: torch.cat([c[:1].clamp(min=0), by_walk(c)[1:] + 0 * c[0]])
)
wrong(
    "queue_wait",
    "the published rows only",
    "correct",
    only_for(lambda change: len(change) == ROWS, by_walk, lambda change: change.clamp(min=0)),
)
wrong("queue_wait", "a cached first answer", "correct", cached_first(by_walk))
wrong("queue_wait", "torch.allclose forged", "correct", forging_comparisons(lambda c: c.clamp(min=0)))
wrong("queue_wait", "the check forged", "correct", forging_the_check(lambda c: c.clamp(min=0)))
wrong("queue_wait", "the slow loop on a forged clock", "correct", forging_clocks(queue_wait_slow))
