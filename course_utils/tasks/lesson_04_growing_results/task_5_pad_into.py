"""Ragged rows into a buffer that is kept, with zeros behind them: every byte of it is written once.

Who clears the whole buffer first writes most of it twice; who pads in memory of its own writes all of it twice.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer, nan_buffer, noncontiguous_buffer
from course_utils.tasks.torch_inputs import noncontiguous, normal
from course_utils.tasks.unwrap import items, prose

_MOST, _FEATURES = 8, 256


def pad_into_slow(sequences, out):
    """Into out[i] the rows of sequences[i] one by one, and rows of zeros behind them."""
    for i, sequence in enumerate(sequences):
        for t in range(out.shape[1]):
            if t < len(sequence):
                out[i, t] = sequence[t]
            else:
                out[i, t] = 0


def _ragged(generator, *lengths, longest=None, features=3, dtype=torch.float32):
    """Sequences of these lengths, and a buffer for them."""
    longest = max(lengths, default=0) if longest is None else longest
    sequences = [normal(generator, length, features, dtype=dtype) for length in lengths]
    return sequences, buffer(generator, len(lengths), longest, features, dtype=dtype)


def _lengths(size):
    """From about a half of the longest up to the longest, in an order that is neither up nor down."""
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
    title="A ragged batch, into a kept buffer",
    points=4,
    level=3,
    slow=pad_into_slow,
    inputs=lambda size, generator: _ragged(generator, *_lengths(size), features=_FEATURES),
    writes=("out",),
    sizes=(2, 5),
    edge_cases=(
        _case("no sequences", longest=4),
        _case("a single sequence", 3, longest=4),
        _case("sequences that are empty", 0, 2, 0),
        _case("sequences that are all as long as the buffer", 3, 3),
        _case("a buffer that is longer than every sequence", 2, 1, longest=5),
        _case("float64 values", 2, 3, dtype=torch.float64),
        Case(
            "sequences that lie apart in memory",
            lambda g: ([noncontiguous(normal(g, 2, 3)), normal(g, 3, 4).T], buffer(g, 2, 4, 3)),
        ),
        Case("infinity and NaN", lambda g: ([torch.tensor([[inf, nan, -inf]]), normal(g, 2, 3)], buffer(g, 2, 2, 3))),
        nan_buffer(_two, 2, 4, 3),
        Case("a buffer with its sequences side by side", lambda g: (*_two(g), buffer(g, 4, 2, 3).transpose(0, 1))),
        noncontiguous_buffer(_two, 2, 4, 3),
    ),
    count_sizes=(8, 64),
    race_size=384,
    story=prose(
        """
        A server answers questions with a language model. Requests come together as they come: each is a matrix of word vectors,
        some short, some long. The model wants one tensor, in which every request begins at row 0 and is followed by zeros. The
        server keeps one buffer for that. Write `pad_into(sequences, out)`, which fills it, and see how near you can come to
        the speed at which your machine copies.
        """
    ),
    rules=prose(
        """
        - `sequences` is a list of matrices of shape (length, features), their lengths from 0 to that of the buffer. `out` has
        the shape (sequences, longest, features) and their dtype. It holds anything before, NaN as well.
        - What counts is what stands in `out` afterwards; what the function returns does not matter. The sequences stay as they
        were.
        - No fresh memory at all. A loop over the sequences may stay, one over their rows may not.
        - The card shows the share of the limit that you reach: each row read once, each place of the buffer written once.
        """
    ),
    limits=(at_most(100, "ops"), at_most(0, "syncs"), at_most(0, "bytes")),
    target=5.0,
    cost=_cost,
    ways={"cleared first": _cleared_first, "padded elsewhere": _padded_elsewhere},
    hints=items(
        """
        - Which parts of the buffer does `out.zero_()` write that are written again afterwards? And what does one turn of a loop
          cost that copies a whole sequence?
        - For sequence i, `out[i, :n]` takes its n rows and `out[i, n:]` the zeros: `copy_` and `zero_` write each place once.
        - for place, sequence in zip(out, sequences): place[: len(sequence)] = sequence, and then
          place[len(sequence) :].zero_(). Now save launches: `out.unbind()` makes all views in one call, no zeros need be written
          where nothing is left over, and for a contiguous buffer `out.flatten(0, 1).split(…)` gives all the places at once.
          What takes a list of places and a list of tensors?
        """
    ),
    mistakes=(
        Mistake("What stood in out before is still there behind the sequences: put zeros there.", _without_zeros),
        Mistake("NaN times 0 is NaN: write zeros over it, with `zero_` or `fill_`.", _times_zero),
        Mistake("The zeros stand in front of the sequences; they belong behind them.", _in_front),
        Mistake("Each sequence runs backwards.", _backwards),
    ),
    sources=("S1.5",),
)
