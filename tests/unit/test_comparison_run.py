"""What ``compare`` promises, on a virtual clock that only contenders move."""

import math
import random

import numpy as np
import pytest

from course_utils.timing import Comparison
from course_utils.timing.comparison_run import ComparisonRun

TIMER_COST = 1e-6


class FakeStopwatch:
    """Time passes only when a contender spends it; each block also costs ``TIMER_COST``."""

    def __init__(self) -> None:
        self.time = 0.0
        self.blocks: list[tuple[str, int]] = []

    def now(self) -> float:
        return self.time

    def spend(self, seconds: float) -> None:
        self.time += seconds

    def block(self, function, args, calls) -> float:
        start = self.time
        self.time += TIMER_COST
        for _ in range(calls):
            function(*args)
        self.blocks.append((getattr(function, "__name__", ""), calls))
        return self.time - start


class Lab:
    """A virtual machine: makes contenders of known cost and compares them."""

    def __init__(self, **options) -> None:
        self.watch = FakeStopwatch()
        self.options = {"budget_s": 3.0, "min_rounds": 9, "cancelled": lambda: False} | options
        self.shares: list[float] = []
        self.compilations = 0

    def contender(self, name, *seconds, result=None):
        """Return a contender whose calls take the given seconds in turn; all later calls take the last one."""
        remaining = list(seconds)

        def contender(*_):
            self.watch.spend(remaining.pop(0) if len(remaining) > 1 else remaining[0])
            return result

        contender.__name__ = name
        return contender

    def run(self, contenders, baseline=None) -> Comparison:
        run = ComparisonRun(
            contenders=contenders,
            make_args=tuple,
            baseline=baseline or next(iter(contenders)),
            stopwatch=self.watch,
            shuffle=random.Random(7).shuffle,
            on_progress=lambda share, so_far: self.shares.append(share),
            compilation_count=lambda: self.compilations,
            device="cpu",
            threads=1,
            **self.options,
        )
        run.run()
        return run.result()


def test_a_known_ratio_is_measured_exactly():
    lab = Lab()
    result = lab.run({"slow": lab.contender("slow", 0.01), "fast": lab.contender("fast", 0.001)})
    assert result.ratio("fast").value == pytest.approx(10, rel=0.006)
    assert result.ratio("fast").low == pytest.approx(result.ratio("fast").high, rel=0.001)
    assert result.verdict("fast") == "faster"
    assert result.verdict("slow") == "same"


def test_the_clock_takes_under_half_a_percent_of_a_block():
    lab = Lab(budget_s=0.1)
    result = lab.run(
        {"tiny": lab.contender("tiny", TIMER_COST / 5), "tinier": lab.contender("tinier", TIMER_COST / 10)}
    )
    assert result.median_s("tinier") == pytest.approx(TIMER_COST / 10, rel=0.005)
    assert result.median_s("tiny") == pytest.approx(TIMER_COST / 5, rel=0.005)


def test_equal_contenders_are_the_same():
    lab = Lab()
    result = lab.run({"a": lab.contender("a", 0.001), "b": lab.contender("b", 0.001)})
    assert result.verdict("b") == "same"


def test_a_contender_that_takes_twice_as_long_is_slower():
    lab = Lab()
    result = lab.run({"a": lab.contender("a", 0.001), "b": lab.contender("b", 0.002)})
    assert result.verdict("b") == "slower"
    assert result.break_even("b") == math.inf


def test_paired_ratios_survive_a_drifting_machine():
    lab = Lab(budget_s=5.0)

    def drifting_contender(name, seconds):
        def contender():
            lab.watch.spend(seconds * (1 + 0.5 * math.sin(lab.watch.time)))

        contender.__name__ = name
        return contender

    result = lab.run({"slow": drifting_contender("slow", 0.004), "fast": drifting_contender("fast", 0.002)})
    assert result.ratio("fast").value == pytest.approx(2, rel=0.01)
    low, high = result.quartiles_s("slow")
    assert high / low > 1.3, "the drift shows in the single times"


def test_stalls_are_reported_and_ignored():
    lab = Lab()
    count = 0

    def stalling():
        nonlocal count
        count += 1
        lab.watch.spend(1.0 if count % 10 == 0 else 0.02)

    result = lab.run({"steady": lab.contender("steady", 0.02), "stalling": stalling})
    assert result.median_s("stalling") == pytest.approx(0.02, rel=0.01)
    assert 0.01 < result.stall_share < 0.2
    assert result.ratio("stalling").value == pytest.approx(1, rel=0.01)


def test_first_call_steady_state_and_break_even_are_separate():
    lab = Lab()
    result = lab.run({"eager": lab.contender("eager", 0.010), "compiled": lab.contender("compiled", 0.5, 0.005)})
    assert result.first_call_s("compiled") == pytest.approx(0.5, rel=0.001)
    assert result.median_s("compiled") == pytest.approx(0.005, rel=0.001)
    assert result.break_even("compiled") == 99


@pytest.mark.parametrize("seconds", [0.001, 0.05, 0.4, 1.1, 2.9])
def test_the_budget_holds(seconds):
    lab = Lab(budget_s=3.0)
    lab.run({"slow": lab.contender("slow", seconds), "half": lab.contender("half", seconds / 2)})
    assert lab.watch.time <= 6.0


def test_a_call_longer_than_the_budget_ends_the_comparison():
    lab = Lab(budget_s=1.0)
    result = lab.run({"long": lab.contender("long", 30.0), "short": lab.contender("short", 0.001)})
    assert lab.watch.time < 32.0
    assert result.median_s("long") == pytest.approx(30, rel=0.001)
    assert result.verdict("short") == "unclear"
    assert result.ratio("short").low is None
    assert "too few" in result.notes["long"]


def test_a_slow_baseline_leaves_time_for_the_others():
    lab = Lab(budget_s=1.0)
    result = lab.run(
        {"slow": lab.contender("slow", 5.0), "a": lab.contender("a", 0.001), "b": lab.contender("b", 0.002)}
    )
    assert result.rounds("a") >= 9
    assert result.rounds("b") >= 9


@pytest.mark.parametrize("kind", [ValueError, SystemExit])
def test_a_contender_that_raises_is_reported_and_the_others_race(kind):
    lab = Lab()

    def broken():
        raise kind("x must be positive\nand more")

    result = lab.run({"slow": lab.contender("slow", 0.01), "broken": broken, "fast": lab.contender("fast", 0.001)})
    assert result.errors == {"broken": f"'broken' raised {kind.__name__}: x must be positive"}
    assert result.verdict("fast") == "faster"
    assert "broken" not in result.samples


def test_running_out_of_memory_is_reported_separately():
    lab = Lab()

    def greedy():
        raise MemoryError

    result = lab.run({"slow": lab.contender("slow", 0.01), "greedy": greedy})
    assert result.out_of_memory == {"greedy"}


def test_results_of_different_shape_are_not_timed():
    lab = Lab()
    result = lab.run(
        {
            "slow": lab.contender("slow", 0.01, result=np.zeros((4,))),
            "fast": lab.contender("fast", 0.001, result=np.zeros((3,))),
        }
    )
    assert "shape (3,)" in result.errors["fast"]
    assert "(4,)" in result.errors["fast"]
    assert math.isnan(result.ratio("fast").value)
    assert result.verdict("fast") == "unclear"


def test_the_order_within_rounds_is_random():
    lab = Lab()
    lab.run({"a": lab.contender("a", 0.01), "b": lab.contender("b", 0.01)})
    names = [name for name, _ in lab.watch.blocks if name in "ab" and name]
    pairs = list(zip(names[-40::2], names[-39::2], strict=False))
    assert ("a", "b") in pairs
    assert ("b", "a") in pairs


def test_progress_increases_and_ends_at_one():
    lab = Lab()
    lab.run({"a": lab.contender("a", 0.01), "b": lab.contender("b", 0.01)})
    assert lab.shares == sorted(lab.shares)
    assert lab.shares[-1] == 1.0


def compiling_contender(lab, name, seconds, compiling_calls, compile_s):
    """Return a contender that takes ``seconds``, and compiles for ``compile_s`` in the calls with these numbers."""
    calls = 0

    def contender():
        nonlocal calls
        calls += 1
        if calls in compiling_calls:
            lab.compilations += 1
            lab.watch.spend(compile_s)
        lab.watch.spend(seconds)

    contender.__name__ = name
    return contender


@pytest.mark.parametrize("compile_s", [0.5, 30.0])
@pytest.mark.parametrize("compiling_calls", [(1,), (1, 2), (3,), (1, 40)])
def test_calls_that_compile_are_left_out_and_reported(compiling_calls, compile_s):
    lab = Lab(budget_s=3.0)
    compiled = compiling_contender(lab, "compiled", 0.005, compiling_calls, compile_s)
    result = lab.run({"eager": lab.contender("eager", 0.010), "compiled": compiled})
    assert result.ratio("compiled").value == pytest.approx(2, rel=0.01)
    assert result.verdict("compiled") == "faster"
    assert result.stall_share == 0.0
    assert result.compiling_s == pytest.approx(len(compiling_calls) * compile_s, rel=0.2)
    assert lab.watch.time - result.compiling_s <= 2 * 3.0
    assert result.first_call_s("compiled") == pytest.approx(0.005 + compile_s * (1 in compiling_calls), rel=0.001)
    count = "1 call" if len(compiling_calls) == 1 else "2 calls"
    assert result.notes["compiled"].startswith(f"'compiled' compiled code in {count} (")
    assert "eager" not in result.notes


def test_code_that_compiles_in_every_call_is_timed_with_it():
    lab = Lab(budget_s=3.0)
    forever = compiling_contender(lab, "forever", 0.001, range(1, 10_000), 0.05)
    result = lab.run({"eager": lab.contender("eager", 0.010), "forever": forever})
    assert result.median_s("forever") == pytest.approx(0.051, rel=0.01)
    assert "its times include compiling" in result.notes["forever"]


def test_a_cancelled_comparison_returns_what_it_measured():
    lab = Lab()
    lab.options["cancelled"] = lambda: lab.watch.time > 1.0
    result = lab.run({"a": lab.contender("a", 0.01), "b": lab.contender("b", 0.02)})
    assert result.cancelled
    assert result.rounds("a") > 0
    assert lab.watch.time < 1.1


def test_a_comparison_prints_one_line_per_contender():
    lab = Lab()
    result = lab.run({"a": lab.contender("a", 0.01), "b": lab.contender("b", 0.02), "c": lambda: 1 / 0})
    assert repr(result).splitlines() == [
        "'a': 10,000 µs a call",
        "'b': 20,000 µs a call, 0.500× (0.500–0.500) as fast as 'a'",
        "'c' raised ZeroDivisionError: division by zero",
    ]
