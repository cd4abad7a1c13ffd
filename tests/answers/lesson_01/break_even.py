"""Answers to break_even."""

import torch

from answers import AnswersTo

answers = AnswersTo("break_even")

INF = float("inf")


@answers.right("nested where")
def by_where(first, steady, baseline):
    debt, saved = first - baseline, baseline - steady
    return torch.where(debt <= 0, 1, torch.where(saved <= 0, INF, 1 + debt / saved))


@answers.right("masks")
def by_masks(first, steady, baseline):
    calls = (first - steady) / (baseline - steady)
    calls[baseline <= steady] = INF
    calls[first <= baseline] = 1
    return calls


@answers.right("clamped debt and saving")
def by_clamping(first, steady, baseline):
    saved = (baseline - steady).clamp(min=0)
    debt = (first - baseline).clamp(min=0)
    return torch.where(debt == 0, torch.zeros_like(debt), debt / saved) + 1


answers.right("masked_fill")(lambda f, s, b: ((f - s) / (b - s)).masked_fill(b <= s, INF).masked_fill(f <= b, 1))
answers.right("float64 inside")(lambda *i: by_where(*(each.double() for each in i)).to(i[0].dtype))


@answers.right()
def at_least_1_at_the_end(f, s, b):
    return torch.where(b > s, (f - s) / (b - s), by_where(f, s, b)).clamp(min=1)


@answers.wrong("a list of floats", "unlooped")
def list_of_floats(first, steady, baseline):
    calls = []
    for one, later, plain in zip(first.tolist(), steady.tolist(), baseline.tolist()):
        calls.append(1 if one <= plain else INF if plain <= later else 1 + (one - plain) / (plain - later))
    return torch.tensor(calls, dtype=first.dtype, device=first.device)


@answers.wrong(line="correct")
def equal_costs_count_as_a_loss(f, s, b):
    return torch.where(f < b, 1, torch.where(b <= s, INF, 1 + (f - b) / (b - s)))


@answers.wrong("boolean indexing", "unlooped", says="depends on values")
def by_boolean_indexing(first, steady, baseline):
    calls = torch.full_like(first, INF)
    pays = steady < baseline
    calls[pays] = 1 + (first[pays] - baseline[pays]) / (baseline[pays] - steady[pays])
    return calls.masked_fill(first <= baseline, 1)


answers.wrong("a large number for infinity", "correct")(lambda *i: by_where(*i).clamp(max=1e9))
answers.wrong("rounded down", "correct")(lambda *i: by_where(*i).floor())
answers.wrong("the absolute value of the saving", "correct")(
    lambda f, s, b: torch.where(f <= b, 1, 1 + (f - b) / (b - s).abs())
)
answers.wrong("1e-9 added to the saving", "correct")(lambda f, s, b: by_where(f, s - 1e-9, b))


@answers.wrong("NaN instead of infinity", "correct")
def nan_instead_of_infinity(*i):
    return torch.where(by_where(*i) == INF, float("nan"), by_where(*i))


@answers.wrong("a loop over blocks of 64", "unlooped")
def in_blocks_of_64(*i):
    return torch.cat([by_where(*part) for part in zip(*(t.split(64) for t in i))])


@answers.wrong("nearly equal costs count as equal", "correct", says="hardly longer")
def close_counts_as_equal(first, steady, baseline):
    return by_where(first, steady, baseline).masked_fill(torch.isclose(first, baseline), 1)


@answers.wrong("infinity if the result is below 1", "correct", says="hardly longer")
def infinite_below_one(first, steady, baseline):
    calls = 1 + (first - baseline) / (baseline - steady)
    return torch.where(calls < 1, INF, calls).masked_fill(first <= baseline, 1)


@answers.wrong("differences up to 0.1 µs ignored", "correct", says="hardly longer")
def by_microseconds(first, steady, baseline):
    return by_where(first, steady, baseline).masked_fill(first - baseline <= 1e-7, 1)


answers.wrong("infinity if the first call takes no time", "correct", says="calls that take no time")(
    lambda f, s, b: by_where(f, s, b).masked_fill(f == 0, INF)
)
answers.wrong("at least two calls unless the first one costs no more", "correct", says="by the second call")(
    lambda f, s, b: torch.where(f <= b, 1, by_where(f, s, b).clamp(min=2))
)
answers.wrong("a saving of at least 1e-15 s", "correct", says="hardly longer")(
    lambda f, s, b: torch.where(b > s, by_where(f, b - (b - s).clamp(min=1e-15), b), by_where(f, s, b))
)
answers.wrong("infinity if later calls never end", "correct", says="calls that never end")(
    lambda f, s, b: by_where(f, s, b).masked_fill(s == INF, INF)
)
answers.wrong("0 if the first call takes no time", "correct", says="calls that take no time")(
    lambda f, s, b: by_where(f, s, b).masked_fill((f == 0) & (b > 0), 0)
)
