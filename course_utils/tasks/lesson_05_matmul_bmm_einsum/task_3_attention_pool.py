"""What a few fixed questions take out of ragged samples: attention whose mask may hide everything.

The method is pooling by multi-head attention with learned queries (Lee et al., Set Transformer, 2019).
"""

from __future__ import annotations

from math import inf

import torch
from torch.nn import functional

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal
from course_utils.tasks.unwrap import items, prose


def attention_pool_slow(query, keys, values, mask):
    """For each sample and each query the mean of the values that are there, weighted by softmax of the scores."""
    pooled = values.new_zeros(len(keys), len(query), values.shape[2])
    for i in range(len(keys)):
        own_keys, own_values = keys[i][mask[i]], values[i][mask[i]]
        if len(own_keys) > 0:
            for j in range(len(query)):
                scores = own_keys @ query[j] / query.shape[1] ** 0.5
                pooled[i, j] = torch.softmax(scores, 0) @ own_values
    return pooled


def attention_pool_written_out(query, keys, values, mask):
    """Softmax over masked scores. A sample without items divides 0 by 0."""
    scores = query @ keys.mT / query.shape[1] ** 0.5
    return scores.masked_fill(~mask[:, None], -inf).softmax(-1) @ values


def attention_pool_fused(query, keys, values, mask):
    """The lesson's one operation, with an axis for heads that has one place."""
    of_each = query.expand(len(keys), 1, -1, -1)
    pooled = functional.scaled_dot_product_attention(of_each, keys[:, None], values[:, None], mask[:, None, None])
    return pooled[:, 0]


def _sizes(size):
    return (24, 32, 4) if size > 64 else (4, 3, 2)  # items, width, queries


def _inputs(size, generator):
    items, width, queries = _sizes(size)
    return _samples(generator, size, items, width, queries)


def _samples(g, samples, items, width=3, queries=2, out=None, scale=1.0, dtype=torch.float32):
    """Six in ten items are there, and in each sample one at least."""
    mask = torch.from_numpy(g.random((samples, items)) < 0.6)
    if items:
        mask[torch.arange(samples), integers(g, 0, items, samples)] = True
    tensors = (
        normal(g, *shape, scale=scale, dtype=dtype)
        for shape in [(queries, width), (samples, items, width), (samples, items, out or width)]
    )
    return *tensors, mask


def _masked(name, rows, scale=1.0, padding=None):
    """Samples in which just these items are there."""

    def make(g):
        mask = torch.tensor(rows, dtype=torch.bool)
        query, keys, values, _ = _samples(g, len(rows), len(rows[0]), out=2, scale=scale)
        if padding is not None:
            keys[~mask], values[~mask] = padding, padding
        return query, keys, values, mask

    return Case(name, make)


def _apart(g):
    query, keys, values, mask = _samples(g, 4, 3, width=5, out=4)
    return query.T.contiguous().T, keys.transpose(0, 1).contiguous().transpose(0, 1), values.mT.contiguous().mT, mask


def _cost(size):
    items, width, queries = _sizes(size)
    there = size * items * 0.6
    return Cost(
        reads=4 * (queries * width + 2 * there * width) + size * items,
        writes=4 * size * queries * width,
        flops=4 * queries * there * width,
        launches=1,
    )


def _unscaled(query, keys, values, mask):
    return attention_pool_slow(query * query.shape[1] ** 0.5, keys, values, mask)


def _hidden_as_zero(query, keys, values, mask):
    scores = query @ keys.mT / query.shape[1] ** 0.5
    return scores.masked_fill(~mask[:, None], 0).softmax(-1) @ values


def _hidden_afterwards(query, keys, values, mask):
    weights = (query @ keys.mT / query.shape[1] ** 0.5).softmax(-1)
    return weights.masked_fill(~mask[:, None], 0) @ values


def _large_and_negative(query, keys, values, mask):
    scores = query @ keys.mT / query.shape[1] ** 0.5
    return scores.masked_fill(~mask[:, None], -1e9).softmax(-1) @ values


TASK = Task(
    id="attention_pool",
    title="What a question takes out of each sample",
    points=3,
    level=2,
    slow=attention_pool_slow,
    inputs=_inputs,
    edge_cases=(
        _masked("a sample without items", [[0, 0, 0], [1, 0, 1]]),
        _masked("samples that are all empty", [[0, 0], [0, 0]]),
        _masked("samples that are all full", [[1, 1, 1], [1, 1, 1]]),
        _masked("padding that is large", [[1, 0, 1], [0, 1, 0]], padding=1e4),
        _masked("large scores", [[1, 1, 0], [1, 1, 1]], scale=30.0),
        Case("no samples", lambda g: _samples(g, 0, 3)),
        Case("samples with no room for items", lambda g: _samples(g, 2, 0)),
        Case("a single query", lambda g: _samples(g, 3, 4, queries=1)),
        Case("all sizes alike", lambda g: _samples(g, 3, 3, 3, 3)),
        Case("tensors that lie apart in memory", _apart),
        Case("float64 values", lambda g: _samples(g, 3, 4, out=2, dtype=torch.float64)),
    ),
    race_size=128,
    story=prose(
        """
        A shop recommends by what people looked at before. A visitor's history is a list of items, each with a key and a value,
        two vectors of numbers. Histories differ in length and stand in one tensor; a mask says where an item really is. A few
        learned queries, the same for everyone, draw from each history what they look for: a mean of its values, weighted by
        how well the keys fit. Write `attention_pool(query, keys, values, mask)`. New visitors have no history at all.
        """
    ),
    rules=prose(
        """
        - `query` has the shape (queries, d), `keys` (samples, items, d), `values` (samples, items, v), `mask` (samples, items),
        True where an item is there. The result has the shape (samples, queries, v).
        - The weights are the softmax of the scores query · key / √d over the items that are there. Where none is, the result
        is 0. All numbers are finite; scores may be large. There may be no samples, and no room for items.
        - A few tensor operations, however many samples there are, and Python waits for no value. Gradients reach `query`,
        `keys` and `values`, and they are numbers where a sample is empty, too.
        """
    ),
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    gradients=_masked("samples of which one is without items", [[1, 0, 1], [0, 0, 0], [1, 1, 1]]),
    target=5.0,
    cost=_cost,
    ways={"softmax written out": attention_pool_written_out, "one operation": attention_pool_fused},
    hints=items(
        """
        - The scores of all samples have the shape (samples, queries, items). Which product gives them, with the one `query`
          broadcast over the samples? An item that is not there must get the weight 0, and the others must still add up to 1.
        - Put −∞ where no item is, before softmax: e to the −∞ is 0. `mask` needs an axis for the queries. Then ask what
          softmax makes of a sample in which all scores are −∞.
        - weights = scores.masked_fill(~mask[:, None], -inf).softmax(-1), then 0 for samples without items by
          weights.masked_fill(~mask.any(1)[:, None, None], 0), then @ values.
        """
    ),
    mistakes=(
        Mistake(
            "A sample without items is 0 / 0 here, which is not a number: put 0 in its place.",
            attention_pool_written_out,
        ),
        Mistake("The scores are not divided by √d.", _unscaled),
        Mistake(
            "The mask is not looked at: items that are not there take part.",
            lambda query, keys, values, mask: attention_pool_slow(query, keys, values, torch.ones_like(mask)),
        ),
        Mistake(
            "The mask is read the wrong way round: True is where an item is there.",
            lambda query, keys, values, mask: attention_pool_slow(query, keys, values, ~mask),
        ),
        Mistake("A score of 0 still has weight, for e to the 0 is 1: put −∞ where no item is.", _hidden_as_zero),
        Mistake("The weights do not add up to 1: hide the items before softmax, not after it.", _hidden_afterwards),
        Mistake(
            "Where all scores are the same large negative number, softmax gives equal weights: a sample without items "
            "must be 0.",
            _large_and_negative,
        ),
    ),
    sources=("S1.7",),
)
