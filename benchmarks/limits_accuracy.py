"""Checks the limits: measures them repeatedly and compares a plain copy of an array with each result.

Run ``python benchmarks/limits_accuracy.py`` on a quiet machine; it takes about three minutes. ``--busy 1`` runs a process
that computes meanwhile, ``--times 3`` makes it shorter. For each measurement it prints the seconds that it took, the
number of uncertain figures, and the share of the limit that the copy reached at each size; at the end, how often all
shares were between the promised 85 and 105 %.
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
BUDGET_S = 0.4  # for all addresses
ADDRESSES = 5


def compute_forever() -> None:
    """Keep one core busy forever."""
    while True:
        sum(range(10_000))


@contextmanager
def busy_process() -> Iterator[None]:
    """Run one process that computes while the block runs."""
    process = multiprocessing.get_context("spawn").Process(target=compute_forever, daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


def copy_s(size: int) -> dict[str, float]:
    """Return framework → seconds of a copy of ``size`` bytes into existing memory: the median over ``ADDRESSES``
    addresses.

    If a cache is nearly full, the same copy takes up to twice as long at one address as at another. Both frameworks
    copy the same arrays; with separate arrays, each framework would evict the other's arrays from the cache.
    """
    seconds: dict[str, list[float]] = {}
    for _ in range(ADDRESSES):
        source, target = torch.ones(size // 4), torch.ones(size // 4)
        copies = {
            "torch": partial(target.copy_, source),
            "numpy": partial(np.copyto, target.numpy(), source.numpy()),
        }
        result = compare(copies, budget_s=BUDGET_S / ADDRESSES)
        for name in copies:
            seconds.setdefault(name, []).append(result.median_s(name))
    return {name: statistics.median(each) for name, each in seconds.items()}


def shares(peaks: limits.Peaks) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield each size, with framework → the share of the limit that its copy reaches."""
    for size in SIZES:
        cost = Cost(reads=size, writes=size, launches=1)
        yield (
            size,
            {name: limits.bound(cost, peaks, name).seconds / copied_s for name, copied_s in copy_s(size).items()},
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--busy", type=int, default=0, help="processes that compute meanwhile")
    arguments = parser.parse_args()
    clock, console = stopwatch("cpu"), Console(width=160)
    table = Table("took", "uncertain", "copy in", *(format_bytes(size) for size in SIZES))
    within_promise: list[bool] = []
    durations_s: list[float] = []
    with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
        os.environ["UNLOOP_HOME"] = home  # don't overwrite this machine's saved limits
        for _ in range(arguments.busy):
            stack.enter_context(busy_process())
        for number in range(1, arguments.times + 1):
            start = clock.now()
            peaks = limits.measure_peaks()
            durations_s.append(clock.now() - start)
            by_size = dict(shares(peaks))
            for framework in ("torch", "numpy"):
                row = [each[framework] for each in by_size.values()]
                within_promise.append(all(PROMISED[0] <= share <= PROMISED[1] for share in row))
                first_cells = (
                    [f"{durations_s[-1]:.1f} s", str(len(peaks.uncertain))] if framework == "torch" else ["", ""]
                )
                table.add_row(*first_cells, framework, *map(format_percent, row))
            console.print(f"{number} of {arguments.times}: {durations_s[-1]:.1f} s")
    console.print(table)
    console.print(
        f"{arguments.times} of {arguments.times} measurements succeeded, in {statistics.median(durations_s):.1f} s "
        f"(median) and {max(durations_s):.1f} s at most; {sum(within_promise)} of {len(within_promise)} rows are "
        "within the promise at every size."
    )


if __name__ == "__main__":
    main()
