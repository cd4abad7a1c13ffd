"""Ragged samples in one padded batch: a masked mean, then all heads at once.

The padding is not zero, so that adding it up, or multiplying NaN padding by 0, gives a wrong mean.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import INTEGERS
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal

_TIME, _FEATURES, _HEADS, _OUT = 24, 16, 48, 8
# At the larger count size, a loop over any of them exceeds the limit on operations.
_COUNTED_TIME, _COUNTED_FEATURES, _COUNTED_OUT = 50, 44, 42


def masked_heads_slow(x, lengths, weights):
    """Return each head's projection of the mean of each sample's valid rows."""
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
    """Return the heads by products only: ones and zeros select the rows to sum; NaN in the padding spoils the sum."""
    valid = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
    mean = (valid[:, None].to(x.dtype) @ x)[:, 0] / lengths.clamp(min=1)[:, None]
    return (mean @ weights).transpose(0, 1)


def _of_all_rows(x, lengths, weights):
    return torch.einsum("bf,hfo->bho", x.mean(1), weights)


def _sums(x, lengths, weights):
    return masked_heads_slow(x, lengths, weights) * lengths[:, None, None]


def _divided_by_the_time_steps(x, lengths, weights):
    return _sums(x, lengths, weights) / x.shape[1]


def _without_guard(x, lengths, weights):
    return _sums(x, lengths, weights) / lengths[:, None, None]


def _heads_first(x, lengths, weights):
    return masked_heads_slow(x, lengths, weights).transpose(0, 1)


def _one_row_more(x, lengths, weights):
    return masked_heads_slow(x, (lengths + 1).clamp(max=x.shape[1]), weights)


def _inputs(size, generator):
    is_counted = 32 < size <= 64
    time, features, out = (_COUNTED_TIME, _COUNTED_FEATURES, _COUNTED_OUT) if is_counted else (_TIME, _FEATURES, _OUT)
    x, weights = normal(generator, size, time, features), normal(generator, _HEADS, features, out)
    return x, integers(generator, 0, time + 1, size), weights


def _cost(size):
    numbers = size * _TIME * _FEATURES // 2 + _HEADS * _FEATURES * _OUT  # On average, half of the rows are valid.
    return Cost(
        reads=4 * numbers + 8 * size,
        writes=4 * size * _HEADS * _OUT,
        flops=2 * size * _HEADS * _FEATURES * _OUT,
        launches=1,
    )


def _int8_lengths(generator):
    return normal(generator, 3, 200, 3), torch.tensor([100, 0, 127], dtype=torch.int8), normal(generator, 2, 3, 4)


def _uint8_lengths(generator):
    return normal(generator, 3, 300, 3), torch.tensor([200, 0, 255], dtype=torch.uint8), normal(generator, 2, 3, 4)


def _case(name, lengths, time, out=4, dtype=torch.float32):
    """Return samples of these lengths, three features and two heads."""

    def make(g):
        x = normal(g, len(lengths), time, 3, dtype=dtype)
        return x, torch.tensor(lengths, dtype=torch.int64), normal(g, 2, 3, out, dtype=dtype)

    return Case(name, make)


def _large(name, samples=2, time=3, features=3, heads=2, out=4):
    """Return a case without a comparison of gradients, which would take the slow loop seconds."""

    def make(g):
        x, lengths = normal(g, samples, time, features), integers(g, 0, time + 1, samples)
        return x, lengths, normal(g, heads, features, out)

    return Case(name, make, differentiable=False)


def _with_padding(name, value):
    """Return two samples with ``value`` in their padding."""

    def make(g):
        x = normal(g, 2, 3, 2)
        x[0, 1:], x[1, 2:] = value, value
        return x, torch.tensor([1, 2]), normal(g, 2, 2, 2)

    return Case(name, make)


def _not_finite_in_valid_rows(generator):
    x = normal(generator, 4, 3, 2)
    x[0, 1, 0], x[1, 0, 1], x[2, 2] = nan, inf, nan
    return x, torch.tensor([2, 1, 2, 3]), normal(generator, 2, 2, 2)


TASK = Task(
    id="masked_heads",
    title="Heads over ragged samples",
    points=3,
    level=2,
    slow=masked_heads_slow,
    inputs=_inputs,
    dtypes={"lengths": INTEGERS},
    edge_cases=(
        _case("a sample without rows", [0, 2], time=3),
        _case("samples that are all empty", [0, 0], time=2),
        _case("samples that are all full", [3, 3], time=3),
        _case("a single sample and a single output", [2], time=4, out=1),
        _case("as many samples as heads", [2, 1], time=3),
        _with_padding("large padding", 1e6),
        _with_padding("NaN padding", nan),
        _with_padding("infinite padding", inf),
        Case(
            "noncontiguous samples",
            lambda g: (
                noncontiguous(normal(g, 3, 2, 4)).transpose(0, 1),
                torch.tensor([3, 1]),
                normal(g, 5, 4, 2).permute(2, 1, 0),
            ),
        ),
        _case("float64 values", [1, 4, 0], time=4, dtype=torch.float64),
    ),
    worst=(
        Case("NaN and infinity in valid rows, and NaN in the padding", _not_finite_in_valid_rows),
        _case("samples of 4,099 and 4,098 valid rows", [4099, 4098], time=4099),
        Case("uint8 lengths, one of them 0", _uint8_lengths),
        _large("one time step, one feature and one head", samples=9, time=1, features=1, heads=1),
        _large("4,099 samples", samples=4099),
        _large("4,099 features", features=4099),
        _large("4,099 heads", heads=4099),
        _large("4,099 outputs", out=4099),
        Case("200 time steps, more than int8 can count, and int8 lengths", _int8_lengths),
    ),
    race_size=256,
    story=prose(
        """
        A service finds texts with the same meaning. A text is a list of word vectors. Texts of different lengths share
        one tensor, and the rows after a text's last word are padding, with arbitrary values. Each text is reduced to
        the mean of its own words, and every head projects that mean: one head for the topic, one for the tone, and so
        on. Write `masked_heads(x, lengths, weights)`.
        """
    ),
    rules=prose(
        """
        - `x` has shape (batch, time, features) with at least one sample and one time step. `lengths` holds one integer
          per sample, from 0 to time, in any integer dtype. `weights` has shape (heads, features, out) with at least one head.
        - The result has shape (batch, heads, out). The mean is over the first `lengths[i]` rows of sample i; for length
          0, the mean is 0. The padding must not influence the result, even if it is NaN.
        - `x` and `weights` have one dtype, float32 or float64, which the result has, too. Gradients reach `x` and `weights`.
        """
    ),
    limits=(at_most(40, "ops"), at_most(0, "syncs")),
    gradients=True,
    target=5.0,
    cost=_cost,
    ways={"mask product": masked_heads_by_product},
    hints=items(
        """
        - Split the work into two steps without loops: one mean per sample, (batch, features), then all heads of all
          means. One comparison finds the valid rows of the whole batch.
        - `valid = torch.arange(x.shape[1], device=x.device) < lengths[:, None]` is True at valid rows. Write 0 into
          all other rows with `masked_fill`, because NaN times 0 is NaN. Then sum and divide by the lengths. What
          happens at length 0?
        - `mean = x.masked_fill(~valid[:, :, None], 0).sum(1) / lengths.clamp(min=1)[:, None]`, then
          `torch.einsum("bf,hfo->bho", mean, weights)`.
        """
    ),
    mistakes=(
        Mistake("The mean includes the padding: only the first `lengths[i]` rows count.", _of_all_rows),
        Mistake("These are sums: divide each by the sample's own number of rows.", _sums),
        Mistake(
            "Each sum is divided by the number of time steps: divide by the sample's own length.",
            _divided_by_the_time_steps,
        ),
        Mistake(
            "A sample without rows is divided by 0: divide by `lengths.clamp(min=1)`, so that its sum of 0 gives a "
            "mean of 0.",
            _without_guard,
        ),
        Mistake("The head axis comes first: the result should have shape (batch, heads, out).", _heads_first),
        Mistake("The mean includes one row too many: `x[i, lengths[i]]` is the first padding row.", _one_row_more),
        Mistake(
            "The padding is multiplied by 0, and NaN or infinity times 0 is NaN: replace it with 0 using `masked_fill` "
            "or `torch.where`.",
            masked_heads_by_product,
        ),
    ),
)
