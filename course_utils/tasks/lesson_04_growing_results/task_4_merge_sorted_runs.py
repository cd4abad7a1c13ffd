"""Sorted runs become one sorted vector: not by comparing heads in Python, and not by joining two and two.

The values have eight bytes, as times do, and so have the places that a sort returns beside them: one `cat` and one sort are
just what is allowed.
"""

from __future__ import annotations

from math import inf

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal
from course_utils.tasks.unwrap import items, prose

_RUNS = 6


def merge_sorted_runs_slow(runs):
    """The values of all runs, smallest first; each run is sorted already."""
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


def _sorted(generator, *lengths, dtype=torch.float64):
    return ([normal(generator, length, dtype=dtype).sort().values for length in lengths],)


def _lengths(size):
    """Of runs of which the longest is ten times as long as the shortest."""
    return [max(1, size * (1 + 9 * r // (_RUNS - 1)) // 10) for r in range(_RUNS)]


def _case(name, *lengths, dtype=torch.float64):
    return Case(name, lambda generator: _sorted(generator, *lengths, dtype=dtype))


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
    inputs=lambda size, generator: _sorted(generator, *_lengths(size)),
    sizes=(1, 3, 17),
    edge_cases=(
        _case("a single run", 4),
        _case("empty runs among others", 0, 3, 0, 2),
        _case("runs that are all empty", 0, 0),
        _case("runs of one value", 1, 1, 1),
        Case("values that come more than once", lambda _: ([torch.tensor([1.0, 1.0, 3.0]), torch.tensor([1.0, 3.0])],)),
        Case(
            "a run that ends before the others begin", lambda _: ([torch.tensor([7.0, 8.0]), torch.tensor([1.0, 2.0])],)
        ),
        Case("infinite values", lambda _: ([torch.tensor([-inf, 0.0, inf]), torch.tensor([-inf, 1.0])],)),
        _case("float32 values", 3, 2, dtype=torch.float32),
        Case(
            "whole numbers", lambda g: ([integers(g, -9, 10, 4).sort().values, integers(g, -9, 10, 3).sort().values],)
        ),
        Case("runs that lie apart in memory", lambda g: ([noncontiguous(run) for run in _sorted(g, 4, 3)[0]],)),
    ),
    count_sizes=(20, 160),
    race_size=160,
    story=prose(
        """
        Six servers each keep a log, with the times of what happened in order. Somebody looks for the cause of an outage and needs one
        timeline. Write `merge_sorted_runs(runs)`: the values of all runs in one vector, smallest first. The logs of a busy
        day are large, and the machine that joins them has little memory to spare.
        """
    ),
    rules=prose(
        """
        - `runs` is a list of one vector or more, each sorted, of one dtype and on one device. Some may be empty. No value is NaN.
        - The result holds every value as often as it comes, in the dtype and on the device of the runs. These stay as they were.
        - All tensors that you make, counted in bytes at float64, have three times the bytes of the result at most, the result
        itself included.
        - A few tensor operations, however many values there are.
        """
    ),
    limits=(
        at_most(60, "ops"),
        at_most(0, "syncs"),
        at_most(lambda runs: 3 * sum(run.nbytes for run in runs), "bytes", "three times the bytes of the result"),
    ),
    target=20.0,
    cost=lambda size: Cost(reads=8 * sum(_lengths(size)), writes=8 * sum(_lengths(size)), launches=1),
    ways={"pair by pair": _pair_by_pair},
    hints=items(
        """
        - Merging is what you would do by hand. A machine that sorts quickly need not know that the runs are sorted already.
        - First bring all values into one vector, once, and then sort that once. How many bytes does a sort return? It returns
          the places of the values as well, eight bytes for each.
        - `torch.cat(runs).sort().values`: one part for the joined vector, one for the sorted values, one for their places. There
          is room for nothing else, so sort once only.
        """
    ),
    mistakes=(
        Mistake("The runs stand one behind the other, and nothing is merged.", lambda runs: torch.cat(runs)),
        Mistake(
            "The largest value stands first: wanted is the smallest.", lambda runs: merge_sorted_runs_slow(runs).flip(0)
        ),
        Mistake("Values that come more than once are kept once only.", lambda runs: torch.cat(runs).unique()),
        Mistake("These are the places of the values, not the values.", lambda runs: torch.cat(runs).argsort()),
    ),
    sources=("S1.5",),
)
