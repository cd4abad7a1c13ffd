"""Sequences of different lengths in a preallocated buffer, followed by zeros, with each byte written once.

Clearing the whole buffer first writes most of it twice; padding in new memory writes all of it twice.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import NUMBERS
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer, nan_buffer, noncontiguous_buffer
from course_utils.tasks.torch_inputs import noncontiguous, normal

_MOST, _FEATURES = 8, 256


def pad_into_slow(sequences, out):
    """Write the rows of sequences[i] to out[i], followed by rows of zeros."""
    for i, sequence in enumerate(sequences):
        for t in range(out.shape[1]):
            if t < len(sequence):
                out[i, t] = sequence[t]
            else:
                out[i, t] = 0


def _ragged(generator, *lengths, longest=None, features=3, dtype=torch.float32):
    """Return sequences of these lengths and a buffer for them."""
    longest = max(lengths, default=0) if longest is None else longest
    sequences = [normal(generator, length, features, dtype=dtype) for length in lengths]
    return sequences, buffer(generator, len(lengths), longest, features, dtype=dtype)


def _lengths(size):
    """Return lengths from about half of the longest to the longest, in no order."""
    count = min(size, _MOST)
    return [size - (7 * i % count) * (size // 2) // count for i in range(count)]


def _case(name, *lengths, longest=None, dtype=torch.float32):
    return Case(name, lambda generator: _ragged(generator, *lengths, longest=longest, dtype=dtype))


def _two(generator):
    return (_ragged(generator, 3, 2)[0],)


def _numbers(size):
    return sum(_lengths(size)) * _FEATURES, len(_lengths(size)) * size * _FEATURES


def _cost(size):
    read, written = _numbers(size)
    return Cost(reads=4 * read, writes=4 * written, launches=1)


def _cleared_first(sequences, out):
    out.zero_()
    for i, sequence in enumerate(sequences):
        out[i, : len(sequence)] = sequence


def _padded_elsewhere(sequences, out):
    padded = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)
    out[:, : padded.shape[1]] = padded
    out[:, padded.shape[1] :] = 0


def _without_zeros(sequences, out):
    for i, sequence in enumerate(sequences):
        out[i, : len(sequence)] = sequence


def _times_zero(sequences, out):
    out.mul_(0)
    _without_zeros(sequences, out)


def _in_front(sequences, out):
    for i, sequence in enumerate(sequences):
        out[i] = 0
        out[i, out.shape[1] - len(sequence) :] = sequence


def _backwards(sequences, out):
    for i, sequence in enumerate(sequences):
        out[i] = 0
        out[i, : len(sequence)] = sequence.flip(0)


TASK = Task(
    id="pad_into",
    title="A ragged batch in a preallocated buffer",
    points=4,
    level=3,
    slow=pad_into_slow,
    inputs=lambda size, generator: _ragged(generator, *_lengths(size), features=_FEATURES),
    writes=("out",),
    sizes=(2, 5),
    tolerance=0,  # values are moved, not computed
    dtypes={"sequences, out": NUMBERS},
    edge_cases=(
        _case("no sequences", longest=4),
        _case("a single sequence", 3, longest=4),
        _case("a single sequence that fills the buffer", 3),
        _case("empty sequences before and after another", 0, 2, 0),
        _case("sequences as long as the buffer", 3, 3),
        _case("a buffer longer than every sequence", 2, 1, longest=5),
        Case(
            "noncontiguous sequences",
            lambda g: ([noncontiguous(normal(g, 2, 3)), normal(g, 3, 4).T], buffer(g, 2, 4, 3)),
        ),
        Case("infinity and NaN", lambda g: ([torch.tensor([[inf, nan, -inf]]), normal(g, 2, 3)], buffer(g, 2, 2, 3))),
        nan_buffer(_two, 2, 4, 3),
        Case("a buffer full of infinity", lambda g: (*_two(g), torch.full((2, 4, 3), inf))),
        Case("one sequence twice", lambda g: ([normal(g, 2, 3)] * 2, buffer(g, 2, 3, 3))),
        Case("rows of one value", lambda g: _ragged(g, 2, 3, features=1)),
        Case("rows of 5,000 values", lambda g: _ragged(g, 2, 1, features=5000)),
        _case("a buffer without rows", 0, 0),
        Case("a transposed buffer", lambda g: (*_two(g), buffer(g, 4, 2, 3).transpose(0, 1))),
        noncontiguous_buffer(_two, 2, 4, 3),
    ),
    worst=(
        _case("120 sequences, of which one fills the buffer", *[1, 0, 2, 0] * 29, 50, 0, 1, 49),
        _case("600 sequences", *[1, 0, 2] * 200),
        _case("a sequence of 5,000 rows", 1, 5000, longest=5001),
        _case("only empty sequences and a long buffer", *[0] * 5, longest=30),
    ),
    count_sizes=(8, 64),
    race_size=384,
    story=prose(
        """
        A server answers questions with a language model. It collects requests of different lengths; each request is a matrix of
        word vectors. The model needs one tensor in which each request begins at row 0 and is followed by zeros. The server
        keeps one buffer for that tensor. Write `pad_into(sequences, out)`, which fills this buffer, and see how close you can come
        to the speed of a copy.
        """
    ),
    rules=prose(
        """
        - `sequences` is a list, perhaps empty, of matrices of shape (length, features), with lengths from 0 to `longest`. `out` has shape
        (sequences, longest, features) and the dtype of the sequences, floats or integers. It can hold any values before the call, even NaN.
        - The result is the content of `out` afterward; the return value doesn't count. The sequences don't change.
        - A loop over the sequences fits the limits; a loop over their rows doesn't. An operation that copies a list of tensors
        to a list of tensors counts as one operation for each tensor.
        - The limit counts one read of each row and one write of each value of the buffer. The card shows your share of that limit.
        """
    ),
    limits=(at_most(100, "ops"), at_most(0, "syncs"), at_most(0, "bytes")),
    target=5.0,
    cost=_cost,
    ways={"cleared, then copied": _cleared_first, "pad_sequence + copy": _padded_elsewhere},
    hints=items(
        """
        - Which parts of the buffer are written a second time after `out.zero_()`? And what does one iteration cost if it copies a
          whole sequence?
        - Sequence i has n rows: `out[i, :n]` gets them and `out[i, n:]` gets zeros. `copy_` and `zero_` write each value once.
        - Loop with `for block, sequence in zip(out, sequences)`: `block[: len(sequence)] = sequence`, then
          `block[len(sequence) :].zero_()`. Now save calls: skip `zero_` if no rows are left, get all views with one
          `out.unbind()` or, for a contiguous buffer, with `out.flatten(0, 1).split(…)`, and look for an operation that copies
          a list of tensors to a list of tensors.
        """
    ),
    mistakes=(
        Mistake("The old content of `out` still follows the sequences: write zeros there.", _without_zeros),
        Mistake(
            "NaN follows the sequences, because NaN · 0 and ∞ − ∞ are NaN: overwrite old values with `zero_` or "
            "`fill_`.",
            _times_zero,
        ),
        Mistake("The zeros are before the sequences: write them after the sequences.", _in_front),
        Mistake("The rows of each sequence are in reverse order: keep their order.", _backwards),
    ),
    sources=("S1.5",),
)
