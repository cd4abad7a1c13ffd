"""How true the limits are: measure them again and again, and hold a plain copy of an array against each.

Run it with ``python benchmarks/copy_share.py`` on a quiet machine; it takes about three minutes. ``--busy 1`` lets a process
burn beside it, ``--times 3`` makes it shorter. It prints for each measurement how long it took, how many of its figures did
not settle, and the share of the limit that the copy reached at each size; at the end, how often all was within the promise:
a share of 85 to 105 %.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from course_utils import Cost, compare, limits
from course_utils.core.wording import KIB, format_bytes, format_percent
from course_utils.timing import stopwatch

SIZES = [64 * KIB << step for step in range(11)]  # of one array: a copy touches twice as much
PROMISED = 0.85, 1.05
BUDGET_S = 0.4  # of all places
PLACES = 5


def burn() -> None:
    """Keep one core busy for ever."""
    while True:
        sum(range(10_000))


@contextmanager
def burning() -> Iterator[None]:
    """One burning process, until the block ends."""
    process = multiprocessing.get_context("spawn").Process(target=burn, daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


def copy_s(size: int) -> dict[str, float]:
    """Framework → seconds of a copy of ``size`` bytes into memory that is kept: the median over ``PLACES`` places.

    Where a cache is nearly full, the same copy takes up to twice as long in one place of the memory as in another. Both
    frameworks copy the same arrays: with arrays of their own, they would push each other out of the cache.
    """
    seconds: dict[str, list[float]] = {}
    for _ in range(PLACES):
        one, other = torch.ones(size // 4), torch.ones(size // 4)
        left, right = one.numpy(), other.numpy()
        ways = {"torch": partial(other.copy_, one), "numpy": partial(np.copyto, right, left)}
        found = compare(ways, budget_s=BUDGET_S / PLACES)
        for name in ways:
            seconds.setdefault(name, []).append(found.median_s(name))
    return {name: statistics.median(each) for name, each in seconds.items()}


def shares(peaks: limits.Peaks) -> Iterator[tuple[int, dict[str, float]]]:
    """Size → framework → the share of the limit that its copy reaches."""
    for size in SIZES:
        cost = Cost(reads=size, writes=size, launches=1)
        yield size, {name: limits.bound(cost, peaks, name).seconds / taken for name, taken in copy_s(size).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--busy", type=int, default=0, help="processes that burn beside it")
    given = parser.parse_args()
    clock, console = stopwatch("cpu"), Console(width=160)
    table = Table("took", "unsettled", "copy in", *(format_bytes(size) for size in SIZES))
    kept: list[bool] = []
    taken: list[float] = []
    with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
        os.environ["UNLOOP_HOME"] = home  # the limits that are known here stay as they are
        for _ in range(given.busy):
            stack.enter_context(burning())
        for number in range(1, given.times + 1):
            start = clock.now()
            peaks = limits.measure_peaks()
            taken.append(clock.now() - start)
            found = dict(shares(peaks))
            for framework in ("torch", "numpy"):
                row = [each[framework] for each in found.values()]
                kept.append(all(PROMISED[0] <= share <= PROMISED[1] for share in row))
                told = [f"{taken[-1]:.1f} s", str(len(peaks.uncertain))] if framework == "torch" else ["", ""]
                table.add_row(*told, framework, *map(format_percent, row))
            console.print(f"{number} of {given.times}: {taken[-1]:.1f} s")
    console.print(table)
    console.print(
        f"{given.times} of {given.times} measurements came out, in {statistics.median(taken):.1f} s as a rule and "
        f"{max(taken):.1f} s at most; {sum(kept)} of {len(kept)} rows are within the promise at every size."
    )


if __name__ == "__main__":
    main()
