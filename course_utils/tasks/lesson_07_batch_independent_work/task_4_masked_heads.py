"""Ragged samples in one batch: the mean of what is really there, then all heads at once.

The padding is not zero: who adds it up, or multiplies it away where it is no number, gives a wrong mean.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal
from course_utils.tasks.unwrap import items, prose

_TIME, _FEATURES, _HEADS, _OUT = 24, 16, 6, 8


def masked_heads_slow(x, lengths, weights):
    """The mean of each sample's first rows, as every head projects it."""
    samples = []
    for i in range(len(x)):
        count = int(lengths[i])
        mean = x[i, :count].mean(0) if count > 0 else torch.zeros_like(x[i, 0])
        projections = []
        for head in range(len(weights)):
            projections.append(mean @ weights[head])
        samples.append(torch.stack(projections))
    return torch.stack(samples)


def masked_heads_by_product(x, lengths, weights):
    """Products all the way: a row of ones and zeros adds up what is there. Padding that is no number would spoil it."""
    there = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
    mean = (there[:, None].to(x.dtype) @ x)[:, 0] / lengths.clamp(min=1)[:, None]
    return (mean @ weights).transpose(0, 1)


def _of_all_rows(x, lengths, weights):
    return torch.einsum("bf,hfo->bho", x.mean(1), weights)


def _sums(x, lengths, weights):
    return masked_heads_slow(x, lengths, weights) * lengths[:, None, None]


def _divided_by_the_longest(x, lengths, weights):
    return _sums(x, lengths, weights) / x.shape[1]


def _without_guard(x, lengths, weights):
    return _sums(x, lengths, weights) / lengths[:, None, None]


def _heads_first(x, lengths, weights):
    return masked_heads_slow(x, lengths, weights).transpose(0, 1)


def _one_row_more(x, lengths, weights):
    return masked_heads_slow(x, (lengths + 1).clamp(max=x.shape[1]), weights)


def _inputs(size, generator):
    x, weights = normal(generator, size, _TIME, _FEATURES), normal(generator, _HEADS, _FEATURES, _OUT)
    return x, integers(generator, 0, _TIME + 1, size), weights


def _cost(size):
    numbers = size * _TIME * _FEATURES // 2 + _HEADS * _FEATURES * _OUT  # on average half of the rows are there
    return Cost(
        reads=4 * numbers + 8 * size,
        writes=4 * size * _HEADS * _OUT,
        flops=2 * size * _HEADS * _FEATURES * _OUT,
        launches=1,
    )


def _case(name, lengths, time, dtype=torch.float32):
    """Samples of these lengths, three features and two heads."""

    def make(g):
        x = normal(g, len(lengths), time, 3, dtype=dtype)
        return x, torch.tensor(lengths, dtype=torch.int64), normal(g, 2, 3, 4, dtype=dtype)

    return Case(name, make)


def _with_padding(name, value):
    """Two samples with ``value`` behind their rows."""

    def make(g):
        x = normal(g, 2, 3, 2)
        x[0, 1:], x[1, 2:] = value, value
        return x, torch.tensor([1, 2]), normal(g, 2, 2, 2)

    return Case(name, make)


TASK = Task(
    id="masked_heads",
    title="Heads over ragged samples",
    points=3,
    level=2,
    slow=masked_heads_slow,
    inputs=_inputs,
    edge_cases=(
        _case("a sample without rows", [0, 2], time=3),
        _case("samples that are all empty", [0, 0], time=2),
        _case("samples that are all full", [3, 3], time=3),
        _case("a single sample", [2], time=4),
        _case("as many samples as heads", [2, 1], time=3),
        _with_padding("padding that is large", 1e6),
        _with_padding("padding that is NaN", nan),
        _with_padding("padding that is infinite", inf),
        Case(
            "samples that lie apart in memory",
            lambda g: (
                noncontiguous(normal(g, 3, 2, 4)).transpose(0, 1),
                torch.tensor([3, 1]),
                normal(g, 5, 4, 2).permute(2, 1, 0),
            ),
        ),
        _case("float64 values", [1, 4, 0], time=4, dtype=torch.float64),
    ),
    race_size=256,
    story=prose(
        """
        A service looks for texts that mean the same. A text is a list of word vectors; texts of different length stand in
        one tensor, the short ones filled up behind their last word with whatever was in memory. Each text becomes the mean
        of its own words, and every head projects that mean in its own way: one for the topic, one for the tone, and so on.
        Write `masked_heads(x, lengths, weights)`.
        """
    ),
    rules=prose(
        """
        - `x` has the shape (batch, time, features), with at least one sample and one row of time; `lengths` holds one whole
        number a sample, from 0 to time; `weights` has the shape (heads, features, out), with at least one head.
        - The result has the shape (batch, heads, out). The mean is that of the first `lengths[i]` rows of sample i, and of no
        rows it is 0. What stands behind them must not matter, be it NaN. Gradients reach `x` and `weights`.
        - A few tensor operations, however many samples there are, and Python waits for no length.
        """
    ),
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    gradients=True,
    target=5.0,
    cost=_cost,
    ways={"products with a mask": masked_heads_by_product},
    hints=items(
        """
        - Two steps, each without a loop: one mean a sample, (batch, features), and then all heads of all means. Which rows
          count can be said for the whole batch by one comparison.
        - `torch.arange(x.shape[1], device=x.device) < lengths[:, None]` is True where a row counts. Put 0 into all other
          rows by `masked_fill`; a product with 0 would keep a NaN. Then add up, and divide by the lengths: what about 0?
        - mean = x.masked_fill(~there[:, :, None], 0).sum(1) / lengths.clamp(min=1)[:, None], and then
          torch.einsum("bf,hfo->bho", mean, weights).
        """
    ),
    mistakes=(
        Mistake(
            "The mean is that of all rows, the padding among them: only the first `lengths[i]` count.", _of_all_rows
        ),
        Mistake("These are the sums of the rows: divide each by its own number of rows.", _sums),
        Mistake(
            "Each sum is divided by the longest length: a sample's mean is over its own rows only.",
            _divided_by_the_longest,
        ),
        Mistake(
            "A sample without rows is divided by 0 here: divide by `lengths.clamp(min=1)`, and its sum, 0, stays 0.",
            _without_guard,
        ),
        Mistake("The heads stand first: wanted is (batch, heads, out).", _heads_first),
        Mistake("One row too many counts: row number `lengths[i]` is the first that does not.", _one_row_more),
        Mistake(
            "The padding is multiplied by 0, and NaN or infinity times 0 is NaN: put 0 in its place, by `masked_fill` or "
            "`where`.",
            masked_heads_by_product,
        ),
    ),
)
