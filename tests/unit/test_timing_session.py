"""What a comparison promises, proved on a clock that only moves when a contender moves it."""

import json
import math
import random

import numpy as np
import pytest

from course_utils.timing import Comparison
from course_utils.timing.session import Session

TIMER_COST = 1e-6


class FakeStopwatch:
    """Time stands still unless a contender spends it; starting and reading a block costs ``TIMER_COST``."""

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
    """A fake machine: builds contenders of known cost and runs a session on them."""

    def __init__(self, **options) -> None:
        self.watch = FakeStopwatch()
        self.options = {"budget_s": 3.0, "min_rounds": 9, "cancelled": lambda: False} | options
        self.shares: list[float] = []

    def costing(self, name, *seconds, result=None):
        """A function that spends the given seconds, one after the other; the last one for ever after."""
        left = list(seconds)

        def contender(*_):
            self.watch.spend(left.pop(0) if len(left) > 1 else left[0])
            return result

        contender.__name__ = name
        return contender

    def run(self, contenders, baseline=None) -> Comparison:
        session = Session(
            contenders=contenders,
            make_args=tuple,
            baseline=baseline or next(iter(contenders)),
            stopwatch=self.watch,
            shuffle=random.Random(7).shuffle,
            on_progress=lambda share, so_far: self.shares.append(share),
            device="cpu",
            threads=1,
            **self.options,
        )
        session.run()
        return session.result()


def test_a_known_ratio_is_found_exactly():
    lab = Lab()
    found = lab.run({"slow": lab.costing("slow", 0.01), "fast": lab.costing("fast", 0.001)})
    assert found.ratio("fast").value == pytest.approx(10, rel=0.006)
    assert found.ratio("fast").low == pytest.approx(found.ratio("fast").high, rel=0.001)
    assert found.verdict("fast") == "faster"
    assert found.verdict("slow") == "same"


def test_the_clock_costs_less_than_half_a_percent_of_a_block():
    lab = Lab(budget_s=0.1)
    found = lab.run({"tiny": lab.costing("tiny", TIMER_COST / 5), "tinier": lab.costing("tinier", TIMER_COST / 10)})
    assert found.median_s("tinier") == pytest.approx(TIMER_COST / 10, rel=0.005)
    assert found.median_s("tiny") == pytest.approx(TIMER_COST / 5, rel=0.005)


def test_equal_contenders_are_called_the_same():
    lab = Lab()
    found = lab.run({"a": lab.costing("a", 0.001), "b": lab.costing("b", 0.001)})
    assert found.verdict("b") == "same"


def test_a_slower_contender_is_called_slower():
    lab = Lab()
    found = lab.run({"a": lab.costing("a", 0.001), "b": lab.costing("b", 0.002)})
    assert found.verdict("b") == "slower"
    assert found.break_even("b") == math.inf


def test_the_ratio_of_pairs_survives_a_machine_whose_speed_drifts():
    lab = Lab(budget_s=5.0)

    def drifting(name, seconds):
        def contender():
            lab.watch.spend(seconds * (1 + 0.5 * math.sin(lab.watch.time)))

        contender.__name__ = name
        return contender

    found = lab.run({"slow": drifting("slow", 0.004), "fast": drifting("fast", 0.002)})
    assert found.ratio("fast").value == pytest.approx(2, rel=0.01)
    low, high = found.quartiles_s("slow")
    assert high / low > 1.3, "the drift itself is visible in the single times"


def test_stalls_are_reported_and_left_out():
    lab = Lab()
    count = 0

    def stalling():
        nonlocal count
        count += 1
        lab.watch.spend(1.0 if count % 10 == 0 else 0.02)

    found = Lab.run(lab, {"steady": lab.costing("steady", 0.02), "stalling": stalling})
    assert found.median_s("stalling") == pytest.approx(0.02, rel=0.01)
    assert 0.01 < found.stall_share < 0.2
    assert found.ratio("stalling").value == pytest.approx(1, rel=0.01)


def test_first_call_steady_state_and_break_even_are_separate_figures():
    lab = Lab()
    found = lab.run({"eager": lab.costing("eager", 0.010), "compiled": lab.costing("compiled", 0.5, 0.005)})
    assert found.first_call_s("compiled") == pytest.approx(0.5, rel=0.001)
    assert found.median_s("compiled") == pytest.approx(0.005, rel=0.001)
    assert found.break_even("compiled") == 99


@pytest.mark.parametrize("seconds", [0.001, 0.05, 0.4, 1.1, 2.9])
def test_the_budget_holds(seconds):
    lab = Lab(budget_s=3.0)
    lab.run({"slow": lab.costing("slow", seconds), "half": lab.costing("half", seconds / 2)})
    assert lab.watch.time <= 6.0


def test_one_long_call_ends_it():
    lab = Lab(budget_s=1.0)
    found = lab.run({"long": lab.costing("long", 30.0), "short": lab.costing("short", 0.001)})
    assert lab.watch.time < 32.0
    assert found.median_s("long") == pytest.approx(30, rel=0.001)
    assert found.verdict("short") == "unclear"
    assert found.ratio("short").low is None
    assert "too few" in found.notes["long"]


def test_the_slow_one_does_not_use_up_the_only_call_of_the_others():
    lab = Lab(budget_s=1.0)
    found = lab.run({"slow": lab.costing("slow", 5.0), "a": lab.costing("a", 0.001), "b": lab.costing("b", 0.002)})
    assert found.rounds("a") >= 9
    assert found.rounds("b") >= 9


@pytest.mark.parametrize("kind", [ValueError, SystemExit])
def test_a_contender_that_raises_is_named_and_the_others_race(kind):
    lab = Lab()

    def broken():
        raise kind("x must be positive\nand more")

    found = lab.run({"slow": lab.costing("slow", 0.01), "broken": broken, "fast": lab.costing("fast", 0.001)})
    assert found.errors == {"broken": f"'broken' raised {kind.__name__}: x must be positive"}
    assert found.verdict("fast") == "faster"
    assert "broken" not in found.samples


def test_memory_that_runs_out_is_told_apart():
    lab = Lab()

    def greedy():
        raise MemoryError

    found = lab.run({"slow": lab.costing("slow", 0.01), "greedy": greedy})
    assert found.out_of_memory == {"greedy"}


def test_results_of_different_shape_are_not_timed():
    lab = Lab()
    found = lab.run(
        {
            "slow": lab.costing("slow", 0.01, result=np.zeros((4,))),
            "fast": lab.costing("fast", 0.001, result=np.zeros((3,))),
        }
    )
    assert "shape (3,)" in found.errors["fast"]
    assert "(4,)" in found.errors["fast"]
    assert math.isnan(found.ratio("fast").value)
    assert found.verdict("fast") == "unclear"


def test_order_within_rounds_is_random():
    lab = Lab()
    lab.run({"a": lab.costing("a", 0.01), "b": lab.costing("b", 0.01)})
    names = [name for name, _ in lab.watch.blocks if name in "ab" and name]
    pairs = list(zip(names[-40::2], names[-39::2], strict=False))
    assert ("a", "b") in pairs
    assert ("b", "a") in pairs


def test_progress_grows_and_ends_at_one():
    lab = Lab()
    lab.run({"a": lab.costing("a", 0.01), "b": lab.costing("b", 0.01)})
    assert lab.shares == sorted(lab.shares)
    assert lab.shares[-1] == 1.0


def test_cancelling_keeps_what_was_measured():
    lab = Lab()
    lab.options["cancelled"] = lambda: lab.watch.time > 1.0
    found = lab.run({"a": lab.costing("a", 0.01), "b": lab.costing("b", 0.02)})
    assert found.cancelled
    assert found.rounds("a") > 0
    assert lab.watch.time < 1.1


def test_a_comparison_reads_as_a_line_for_each_contender():
    lab = Lab()
    found = lab.run({"a": lab.costing("a", 0.01), "b": lab.costing("b", 0.02), "c": lambda: 1 / 0})
    assert repr(found).splitlines() == [
        "'a': 10,000 µs a call",
        "'b': 20,000 µs a call, 0.500× (0.500–0.500) as fast as 'a'",
        "'c' raised ZeroDivisionError: division by zero",
    ]


def test_to_dict_is_plain_data():
    lab = Lab()
    found = lab.run({"a": lab.costing("a", 0.01), "b": lab.costing("b", 0.02)})
    again = json.loads(json.dumps(found.to_dict()))
    assert again["contenders"]["b"]["verdict"] == "slower"
    assert len(again["contenders"]["a"]["samples_s"]) == len(found.samples["a"])
