"""Attention pooling with learned queries over samples of different lengths; a mask can hide all items of a sample.

The method is pooling by multi-head attention with learned queries (Lee et al., Set Transformer, 2019).
"""

from __future__ import annotations

from math import inf

import torch
from torch.nn import functional

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal


def attention_pool_slow(query, keys, values, mask):
    """Return, for each sample and query, the mean of existing items' values, weighted by the softmax of the scores."""
    pooled = values.new_zeros(len(keys), len(query), values.shape[2])
    for i in range(len(keys)):
        own_keys, own_values = keys[i][mask[i]], values[i][mask[i]]
        if len(own_keys) > 0:
            for j in range(len(query)):
                scores = own_keys @ query[j] / query.shape[1] ** 0.5
                pooled[i, j] = torch.softmax(scores, 0) @ own_values
    return pooled


def attention_pool_written_out(query, keys, values, mask):
    """Compute a softmax over masked scores; a sample without items divides 0 by 0."""
    scores = query @ keys.mT / query.shape[1] ** 0.5
    return scores.masked_fill(~mask[:, None], -inf).softmax(-1) @ values


def attention_pool_fused(query, keys, values, mask):
    """Call the lesson's single operation, with an axis for heads that has length 1."""
    of_each = query.expand(len(keys), 1, -1, -1)
    pooled = functional.scaled_dot_product_attention(of_each, keys[:, None], values[:, None], mask[:, None, None])
    return pooled[:, 0]


def _sizes(size):
    # Items, width, queries. At the larger count size, a loop over any of them exceeds the limit on operations.
    if size > 64:
        return 24, 32, 4
    return (40, 40, 40) if size > 32 else (4, 3, 2)


def _inputs(size, generator):
    items, width, queries = _sizes(size)
    return _samples(generator, size, items, width, queries)


def _samples(g, samples, items, width=3, queries=2, out=None, scale=1.0):
    """Return samples of which six in ten items exist, and at least one in each sample."""
    mask = torch.from_numpy(g.random((samples, items)) < 0.6)
    if items:
        mask[torch.arange(samples), integers(g, 0, items, samples)] = True
    tensors = (
        normal(g, *shape, scale=scale)
        for shape in [(queries, width), (samples, items, width), (samples, items, out or width)]
    )
    return *tensors, mask


def _masked(name, rows, padding=None):
    """Return samples in which exactly these items exist, and the others are ``padding`` and ``-padding`` in turn."""

    def make(g):
        mask = torch.tensor(rows, dtype=torch.bool)
        query, keys, values, _ = _samples(g, len(rows), len(rows[0]), out=2)
        if padding is not None:
            signs = (-1.0) ** torch.arange(int((~mask).sum()))[:, None]
            keys[~mask], values[~mask] = padding * signs, padding * signs
        return query, keys, values, mask

    return Case(name, make)


def _large_scores(g):
    """Return scores of about 120,000, which float32 holds exactly. They differ by at most 3: in the gradient of a softmax, a
    weight close to 1 loses digits.
    """
    query, keys, values, _ = _samples(g, 2, 3, width=4, out=2)
    query = integers(g, -1, 2, *query.shape, dtype=torch.float32)
    keys = integers(g, 0, 2, *keys.shape, dtype=torch.float32)
    query[..., 0], keys[..., 0] = 600, 400
    return query, keys, values, torch.tensor([[1, 1, 0], [1, 1, 1]], dtype=torch.bool)


def _very_negative(g):
    """Return scores from -100,003 on, which float32 holds exactly, and padding with scores of 0. The scores of two samples, or of
    two queries, lie far apart.
    """
    _, keys, values, mask = _samples(g, 3, 4, width=1, out=2)
    each = -1e5 / torch.tensor([1.0, 2.0, 4.0])[:, None, None]
    return torch.tensor([[1.0], [0.5]]), (each - integers(g, 0, 4, *keys.shape)) * mask[..., None], values, mask


def _apart(g):
    query, keys, values, mask = _samples(g, 4, 3, width=5, out=4)
    return query.T.contiguous().T, keys.transpose(0, 1).contiguous().transpose(0, 1), values.mT.contiguous().mT, mask


def _cost(size):
    items, width, queries = _sizes(size)
    existing = size * items * 0.6
    return Cost(
        reads=4 * (queries * width + 2 * existing * width) + size * items,
        writes=4 * size * queries * width,
        flops=4 * queries * existing * width,
        launches=1,
    )


def _unscaled(query, keys, values, mask):
    return attention_pool_slow(query * query.shape[1] ** 0.5, keys, values, mask)


def _hidden_as_zero(query, keys, values, mask):
    scores = query @ keys.mT / query.shape[1] ** 0.5
    return scores.masked_fill(~mask[:, None], 0).softmax(-1) @ values


def _hidden_afterward(query, keys, values, mask):
    weights = (query @ keys.mT / query.shape[1] ** 0.5).softmax(-1)
    return weights.masked_fill(~mask[:, None], 0) @ values


def _large_and_negative(query, keys, values, mask):
    scores = query @ keys.mT / query.shape[1] ** 0.5
    return scores.masked_fill(~mask[:, None], -1e9).softmax(-1) @ values


TASK = Task(
    id="attention_pool",
    title="Attention pooling",
    points=3,
    level=2,
    slow=attention_pool_slow,
    inputs=_inputs,
    dtypes={"query, keys, values": ("float64",)},
    bounded=("query", "keys"),
    edge_cases=(
        _masked("a sample without items", [[0, 0, 0], [1, 0, 1]]),
        _masked("samples without padding", [[1, 1, 1], [1, 1, 1]]),
        _masked("one item or none", [[1], [0], [1]]),
        Case("values of one element", lambda g: _samples(g, 3, 4, out=1)),
        Case("no samples", lambda g: _samples(g, 0, 3, out=2)),
        Case("samples of length 0", lambda g: _samples(g, 2, 0)),
        Case("a single query", lambda g: _samples(g, 3, 4, queries=1)),
        Case("equal sizes along all axes", lambda g: _samples(g, 3, 3, 3, 3)),
        Case("noncontiguous tensors", _apart),
    ),
    worst=(
        _masked("samples that are all empty", [[0, 0], [0, 0]]),
        _masked("large padding", [[1, 0, 1], [0, 1, 0]], padding=1e20),
        Case("large scores", _large_scores),
        Case("existing scores of about -100,000 to -12,500", _very_negative),
        Case("histories of up to 4,099 items", lambda g: _samples(g, 2, 4099)),
        Case("4,099 queries", lambda g: _samples(g, 1, 2, queries=4099), differentiable=False),
        Case("vectors of 4,099 elements", lambda g: _samples(g, 2, 3, 4099), differentiable=False),
        _masked("4,099 samples, most of them empty", [[0, 0]] * 4096 + [[1, 1]] * 3),
    ),
    race_size=128,
    story=prose(
        """
        A shop bases its recommendations on each visitor's history, a list of items. Each item has a key and a value, which are
        vectors. Histories have different lengths and are padded to one length; a mask marks the items that exist. A few learned
        queries, the same for all visitors, summarize each history: each query returns the mean of the values, weighted by the
        softmax of its scores with the keys. New visitors have no history. Write `attention_pool(query, keys, values, mask)`.
        """
    ),
    rules=prose(
        """
        - `query` has shape (queries, d), `keys` (samples, items, d), `values` (samples, items, v), and `mask` (samples, items) with
        True for items that exist. A sample is one visitor's history. The vectors are all float32 or all float64. The result has shape (samples, queries, v) and
        their dtype.
        - The weights are the softmax of the scores query · key / √d over the items that exist. If a sample has no items, its
        result is 0. All elements of the vectors are finite, and scores can be below −100,000. There can be 0 samples and
        0 items.
        - Gradients reach `query`, `keys` and `values`, and they are finite for empty samples, too.
        """
    ),
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    gradients=True,
    target=5.0,
    cost=_cost,
    ways={"softmax by hand": attention_pool_written_out, "fused attention": attention_pool_fused},
    hints=items(
        """
        - The scores of all samples have shape (samples, queries, items). Which product of `query` and `keys` returns them? Padding
          must get weight 0, and the weights of the items must still sum to 1.
        - Set the scores of padding to −∞ before softmax, because e to the −∞ is 0. `mask` needs an axis for the queries. What
          does softmax return for a sample whose scores are all −∞?
        - `weights = scores.masked_fill(~mask[:, None], -inf).softmax(-1)`, then
          `weights = weights.masked_fill(~mask.any(1)[:, None, None], 0)` for samples without items, then `weights @ values`.
        """
    ),
    mistakes=(
        Mistake(
            "A sample without items became NaN, because its softmax divides 0 by 0: return 0 for it.",
            attention_pool_written_out,
        ),
        Mistake("The scores are not divided by √d: divide them by `query.shape[1] ** 0.5`.", _unscaled),
        Mistake(
            "The mask is ignored: padding must get weight 0.",
            lambda query, keys, values, mask: attention_pool_slow(query, keys, values, torch.ones_like(mask)),
        ),
        Mistake(
            "The mask is inverted: True marks items that exist.",
            lambda query, keys, values, mask: attention_pool_slow(query, keys, values, ~mask),
        ),
        Mistake(
            "Padding has a score of 0 and still gets weight, because e to the 0 is 1: set its score to −∞.",
            _hidden_as_zero,
        ),
        Mistake("The weights don't sum to 1: mask the scores before softmax, not after it.", _hidden_afterward),
        Mistake(
            "A sample without items got equal weights, because all of its scores are the same number: return 0 for it.",
            _large_and_negative,
        ),
    ),
    sources=("S1.7",),
)
