"""Chunks of a table joined by one `cat`; the loop copies the whole table for each row."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import FLOATING, INTEGERS
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal

_COLUMNS = 32


def collect_rows_slow(chunks):
    """Return the rows of all chunks, in order, as one matrix."""
    rows = chunks[0][:0]
    for chunk in chunks:
        for row in chunk:
            rows = torch.cat([rows, row[None]])
    return rows


def _chunks(generator, *lengths, columns=_COLUMNS, dtype=torch.float32):
    return ([normal(generator, length, columns, dtype=dtype) for length in lengths],)


def _inputs(size, generator):
    """Return about ``size`` rows in chunks of different lengths; the last chunk has the remaining rows."""
    first = [1, 2, 3, 2, 1][: max(1, size // 8)]
    return _chunks(generator, *first, max(1, size - sum(first)))


def _case(name, *lengths, columns=3, dtype=torch.float32):
    return Case(name, lambda generator: _chunks(generator, *lengths, columns=columns, dtype=dtype))


def _preallocated(chunks):
    result = chunks[0].new_empty(sum(map(len, chunks)), chunks[0].shape[1])
    start = 0
    for chunk in chunks:
        result[start : start + len(chunk)] = chunk
        start += len(chunk)
    return result


def _grown(chunks):
    rows = chunks[0]
    for chunk in chunks[1:]:
        rows = torch.cat([rows, chunk])
    return rows


TASK = Task(
    id="collect_rows",
    title="One table from many chunks",
    points=1,
    level=1,
    slow=collect_rows_slow,
    inputs=_inputs,
    tolerance=0,  # values are moved, not computed
    dtypes={"chunks": (*FLOATING, *INTEGERS, "bool")},
    edge_cases=(
        _case("a single chunk", 4),
        _case("a chunk next to one without rows", 3, 0),
        _case("rows of 5,000 values", 2, 1, columns=5000),
        _case("a chunk of 4,100 rows", 4100),
        Case("one chunk twice", lambda generator: ([normal(generator, 2, 3)] * 2,)),
        _case("chunks without rows among others", 0, 2, 0, 1, 0),
        _case("empty chunks of float64", 0, 0, dtype=torch.float64),
        _case("chunks without columns", 2, 1, columns=0),
        Case("infinity and NaN", lambda _: ([torch.tensor([[inf, nan]]), torch.tensor([[-inf, 0.0], [1.0, 2.0]])],)),
    ),
    worst=(
        _case("600 chunks, every second one empty", *[0, 1] * 300),
        _case("empty chunks before and after one of integers", 0, 3, 0, dtype=torch.int32),
    ),
    count_sizes=(16, 128),
    race_size=512,
    story=prose(
        """
        A feature store returns a training set in chunks: matrices with the same columns and different numbers of rows. Write
        `collect_rows(chunks)`, which returns all rows, in order, in one matrix.
        """
    ),
    rules=prose(
        """
        - `chunks` is a list of at least one matrix. All chunks and the result have the same number of columns, the same
        device and the same dtype, which can be any dtype. A chunk can have no rows.
        - The result is a new matrix; the chunks don't change. The counts use few chunks, so a loop over the chunks fits
          the limits; a loop over their rows doesn't.
        """
    ),
    limits=(
        at_most(30, "ops"),
        at_most(0, "syncs"),
        at_most(lambda chunks: sum(each.nbytes for each in chunks), "bytes", "the bytes of the result"),
    ),
    target=10.0,
    cost=lambda size: Cost(reads=4 * _COLUMNS * size, writes=4 * _COLUMNS * size, launches=1),
    ways={"cat in a loop": _grown, "preallocated": _preallocated},
    hints=items(
        """
        - Each iteration copies all earlier rows. How often does the loop copy the first row?
        - The chunks are already in a list. Which operation joins a list of tensors along the rows?
        - `torch.cat(chunks)`.
        """
    ),
    mistakes=(
        Mistake(
            "The first chunk is missing: join all chunks.",
            lambda chunks: collect_rows_slow([chunks[0][:0], *chunks[1:]]),
        ),
        Mistake(
            "The last chunk is missing: join all chunks.",
            lambda chunks: collect_rows_slow([chunks[0][:0], *chunks[:-1]]),
        ),
        Mistake(
            "The chunks are in reverse order: the first chunk comes first.",
            lambda chunks: collect_rows_slow(chunks[::-1]),
        ),
        Mistake(
            "The result has torch's default dtype: pass `dtype=chunks[0].dtype, device=chunks[0].device` when you create it.",
            lambda chunks: collect_rows_slow(chunks).to(torch.float32),
        ),
    ),
    sources=("S1.5",),
)
