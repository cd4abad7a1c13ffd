"""Compares the accuracy of four timing tools on the same work, in one table.

Run ``python benchmarks/timing_accuracy.py`` on a quiet machine with two cores. It takes about ten minutes (``--quick``: two) and
measures, for ``compare``, ``torch.utils.benchmark.Timer``, ``timeit`` and a single ``time.time()`` loop:

A/A          comparisons of a function with itself that report a difference above 1 %
coverage     comparisons of work done twice with work done once whose 95 % interval contains 2
neighbors    spread (coefficient of variation) of a ratio while three bursty processes compete for the cores
agreement    largest difference between the medians of ``compare`` and ``torch.utils.benchmark.Timer`` over three functions
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import time
import timeit
from collections.abc import Callable

import torch
from rich.console import Console
from rich.table import Table
from torch.utils.benchmark import Timer

from course_utils.frameworks import devices
from course_utils.timing import compare

Tool = Callable[[Callable, Callable], tuple[float, float | None, float | None]]
BUDGET_S = 1.0  # for each comparison with each tool


def paired(slow: Callable, fast: Callable) -> tuple[float, float | None, float | None]:
    ratio = compare({"slow": slow, "fast": fast}, budget_s=BUDGET_S).ratio("fast")
    return ratio.value, ratio.low, ratio.high


def torch_timer(slow: Callable, fast: Callable) -> tuple[float, None, None]:
    seconds = [
        Timer("f()", globals={"f": function}).blocked_autorange(min_run_time=BUDGET_S / 2).median
        for function in (slow, fast)
    ]
    return seconds[0] / seconds[1], None, None


def plain_timeit(slow: Callable, fast: Callable) -> tuple[float, None, None]:
    seconds = []
    for function in (slow, fast):
        timer = timeit.Timer(function)
        number, once = timer.autorange()
        repeats = max(1, int(BUDGET_S / 2 / once) - 1)
        seconds.append(min(timer.repeat(repeats, number)) / number)
    return seconds[0] / seconds[1], None, None


def single_loop(slow: Callable, fast: Callable) -> tuple[float, None, None]:
    seconds = []
    for function in (slow, fast):
        start = time.time()
        for _ in range(10):
            function()
        seconds.append(time.time() - start)
    return seconds[0] / seconds[1], None, None


TOOLS: dict[str, Tool] = {
    "compare": paired,
    "torch Timer": torch_timer,
    "timeit": plain_timeit,
    "time.time() loop": single_loop,
}


LONG, SHORT = torch.randn(300_000), torch.randn(300)


def once() -> torch.Tensor:
    return LONG.exp()


def twice() -> torch.Tensor:
    once()
    return once()


def element_loop(steps: int = 300) -> torch.Tensor:
    out = torch.empty_like(SHORT)
    for i in range(steps):
        out[i] = SHORT[i] * 2
    return out


def half_element_loop() -> torch.Tensor:
    return element_loop(steps=150)


def bursty_process(stop: multiprocessing.Event, number: int) -> None:
    """Compute and sleep in turns of 0.1 to 0.4 s."""
    torch.set_num_threads(1)
    busy_s = 0.1 + 0.1 * number
    while not stop.is_set():
        until = time.monotonic() + busy_s
        while time.monotonic() < until:
            once()
        time.sleep(busy_s)


def false_alarms(tool: Tool, repeats: int) -> int:
    return sum(abs(tool(once, once)[0] - 1) > 0.01 for _ in range(repeats))


def coverage(tool: Tool, repeats: int) -> float | None:
    intervals = [tool(twice, once)[1:] for _ in range(repeats)]
    if intervals[0][0] is None:
        return None
    return sum(low <= 2.0 <= high for low, high in intervals) / repeats


def spread(tool: Tool, repeats: int) -> float:
    ratios = [tool(element_loop, half_element_loop)[0] for _ in range(repeats)]
    return statistics.stdev(ratios) / statistics.mean(ratios)


def disagreement(function: Callable) -> float:
    """Return the median over turns with each tool once per turn: a shared machine changes its speed every second."""
    ratios = []
    for _ in range(11):
        oracle = Timer("f()", globals={"f": function}).blocked_autorange(min_run_time=BUDGET_S / 4).median
        ratios.append(compare({"f": function}, budget_s=BUDGET_S / 4).median_s("f") / oracle)
    return abs(statistics.median(ratios) - 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a fifth of the repeats")
    repeats = 6 if parser.parse_args().quick else 30
    torch.set_num_threads(1)

    quiet = {name: (false_alarms(tool, repeats), coverage(tool, repeats)) for name, tool in TOOLS.items()}
    worst = max(map(disagreement, (once, element_loop, lambda: torch.ones(8))))
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    neighbors = [context.Process(target=bursty_process, args=(stop, number), daemon=True) for number in range(3)]
    for neighbor in neighbors:
        neighbor.start()
    time.sleep(5)  # all three processes import torch meanwhile
    busy = {name: spread(tool, repeats) for name, tool in TOOLS.items()}
    stop.set()
    for neighbor in neighbors:
        neighbor.join()

    table = Table(title=f"{devices.describe()}, 1 thread, torch {torch.__version__}, {repeats} comparisons per cell")
    for heading in ("tool", "A/A above 1 %", "coverage of the 95 % interval", "spread with neighbors"):
        table.add_column(heading)
    for name, (alarms, covered) in quiet.items():
        shown = "gives no interval" if covered is None else f"{covered:.0%}"
        table.add_row(name, f"{alarms} of {repeats}", shown, f"{busy[name]:.1%}")
    Console(width=110).print(table)
    print(f"The medians of compare and torch's Timer differ by at most {worst:.1%} over three functions.")


if __name__ == "__main__":
    main()
