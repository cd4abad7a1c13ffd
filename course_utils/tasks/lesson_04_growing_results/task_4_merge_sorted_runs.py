"""Sorted runs merged into one sorted vector, without comparisons in Python and without pairwise merges.

Each value has eight bytes, and so does each index that a sort returns. One `cat` and one sort use exactly the memory that
is allowed.
"""

from __future__ import annotations

from math import inf

import torch

from course_utils.frameworks.tensor_interface import NUMBERS
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal

_RUNS = 6


def merge_sorted_runs_slow(runs):
    """Return the values of all sorted runs, smallest first."""
    merged = runs[0].new_empty(sum(len(run) for run in runs))
    taken = [0] * len(runs)
    for k in range(len(merged)):
        first = -1
        for r, run in enumerate(runs):
            if taken[r] < len(run) and (first < 0 or run[taken[r]] < runs[first][taken[first]]):
                first = r
        merged[k] = runs[first][taken[first]]
        taken[first] += 1
    return merged


def _sorted_lists(generator, *lengths, dtype=torch.float64):
    return ([normal(generator, length, dtype=dtype).sort().values for length in lengths],)


def _lengths(size):
    """Return lengths of the runs; the longest run is about ten times as long as the shortest."""
    return [max(1, size * (1 + 9 * r // (_RUNS - 1)) // 10) for r in range(_RUNS)]


def _case(name, *lengths, dtype=torch.float64):
    return Case(name, lambda generator: _sorted_lists(generator, *lengths, dtype=dtype))


def _pair_by_pair(runs):
    merged = runs[0]
    for run in runs[1:]:
        merged = torch.cat([merged, run]).sort().values
    return merged


TASK = Task(
    id="merge_sorted_runs",
    title="One timeline from many logs",
    points=3,
    level=2,
    slow=merge_sorted_runs_slow,
    inputs=lambda size, generator: _sorted_lists(generator, *_lengths(size)),
    sizes=(1, 3, 17),
    tolerance=0,  # values are moved, not computed
    dtypes={"runs": NUMBERS},
    bounded=("runs",),
    edge_cases=(
        _case("a single run", 4),
        _case("empty runs among others", 0, 3, 0, 2),
        _case("one run next to empty ones", 0, 4, 0),
        _case("runs that are all empty", 0, 0),
        _case("runs of one value", 1, 1, 1),
        Case("values that occur several times", lambda _: ([torch.tensor([1.0, 1.0, 3.0]), torch.tensor([1.0, 3.0])],)),
        Case(
            "a run that begins after the other one ends",
            lambda _: ([torch.tensor([7.0, 8.0]), torch.tensor([1.0, 2.0])],),
        ),
        Case("infinite and finite values", lambda _: ([torch.tensor([-inf, 0.0, inf]), torch.tensor([-inf, 1.0])],)),
    ),
    worst=(
        _case("60 runs, every second one empty", *[0, 3] * 30),
        _case("300 runs of one value", *[1] * 300),
        Case(
            "uint8 values below and above 127",
            lambda _: ([torch.tensor([3, 200], dtype=torch.uint8), torch.tensor([5, 255], dtype=torch.uint8)],),
        ),
        Case(
            "int64 values, two of which float64 cannot tell apart",
            lambda _: ([torch.tensor([-(2**62), 2**53 + 1]), torch.tensor([2**53, 2**62])],),
        ),
        _case("runs of 5,000 and 300 values", 5000, 300),
        Case("runs of equal values", lambda _: ([torch.full((5,), 2.5, dtype=torch.float64)] * 6,)),
        Case(
            "float64 times that float32 cannot tell apart",
            lambda g: ([1e9 + 1e-4 * run for run in _sorted_lists(g, 7, 5, 9)[0]],),
        ),
    ),
    count_sizes=(20, 160),
    race_size=160,
    story=prose(
        """
        Each of six servers keeps a log with the times of its events, in order. To find the cause of an outage, you need one
        timeline. Write `merge_sorted_runs(runs)`, which returns the values of all runs in one new vector, smallest first. The logs
        are large, and the machine that merges them has little memory.
        """
    ),
    rules=prose(
        """
        - `runs` is a list of at least one vector, each in ascending order. All runs have the same device and the same dtype, floats
        or integers. A run can be empty. No value is NaN.
        - The result holds each value as often as it occurs, with the dtype and device of the runs. The runs don't change.
        - Memory is counted with float64 values and includes the result.
        """
    ),
    limits=(
        at_most(60, "ops"),
        at_most(0, "syncs"),
        at_most(lambda runs: 3 * sum(run.nbytes for run in runs), "bytes", "three times the bytes of the result"),
    ),
    target=20.0,
    cost=lambda size: Cost(reads=8 * sum(_lengths(size)), writes=8 * sum(_lengths(size)), launches=1),
    ways={"pairwise merges": _pair_by_pair},
    hints=items(
        """
        - By hand you would merge the runs. A fast sort doesn't need to know that they are sorted.
        - Join all values into one vector, once, and then sort that vector once. How many bytes does a sort return? It also
          returns the indices of the values, eight bytes each.
        - `torch.cat(runs).sort().values` allocates three tensors: the joined vector, the sorted values and their indices. That
          is exactly the limit, so sort once.
        """
    ),
    mistakes=(
        Mistake("The runs are joined but not merged: sort the joined vector.", lambda runs: torch.cat(runs)),
        Mistake(
            "The largest value comes first: sort in ascending order.", lambda runs: merge_sorted_runs_slow(runs).flip(0)
        ),
        Mistake("Repeated values occur only once: keep all of them.", lambda runs: torch.cat(runs).unique()),
        Mistake("These are the indices of the values: return the values.", lambda runs: torch.cat(runs).argsort()),
    ),
    sources=("S1.5",),
)
