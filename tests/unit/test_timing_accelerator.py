"""What ``compare`` promises on an accelerator, where a call's wall time is far longer than its measured time."""

import random

import pytest
from simulated_accelerator import LAUNCH_S, SimulatedAccelerator

from course_utils.timing.comparison_run import MAX_BLOCK_S, ComparisonRun
from course_utils.timing.stopwatch import ColdStopwatch

BUDGET_S = 1.4
KERNEL_S = 2e-6

both_kinds = pytest.mark.parametrize("has_marks", [True, False], ids=["events", "host clock"])


class Lab:
    """A real comparison with the real stopwatch on a simulated device; ``blocks`` has the wall seconds and the calls of
    each block.
    """

    def __init__(self, device, budget_s=BUDGET_S, cancelled=lambda: False, make_args=tuple):
        self.device, self.budget_s, self.cancelled, self.make_args = device, budget_s, cancelled, make_args
        self.clock = ColdStopwatch(device, [device.wait], device.now)
        self.started = device.now()
        self.blocks = []

    def now(self):
        return self.clock.now()

    def block(self, function, args, calls):
        start = self.now()
        seconds = self.clock.block(function, args, calls)
        self.blocks.append((self.now() - start, calls))
        return seconds

    def run(self, contenders):
        run = ComparisonRun(
            contenders=contenders,
            make_args=self.make_args,
            baseline=next(iter(contenders)),
            stopwatch=self,
            shuffle=random.Random(7).shuffle,
            budget_s=self.budget_s,
            min_rounds=9,
            on_progress=lambda share, so_far: None,
            cancelled=self.cancelled,
            compilation_count=lambda: 0,
            device="cuda:0",
            threads=1,
        )
        run.run()
        return run.result()

    @property
    def elapsed_s(self):
        return self.now() - self.started


def contenders(device, launches):
    return {name: device.launches(count, KERNEL_S) for name, count in (("loop", launches), ("one", 1), ("four", 4))}


@both_kinds
@pytest.mark.parametrize("launches", [100, 2_000, 20_000, 60_000])
def test_the_budget_holds_in_wall_time(has_marks, launches):
    lab = Lab(device := SimulatedAccelerator(has_marks))
    result = lab.run(contenders(device, launches))
    assert lab.elapsed_s <= 2 * BUDGET_S
    assert min(result.rounds("one"), result.rounds("four")) >= 9
    if 9 * launches * LAUNCH_S <= BUDGET_S:
        assert result.rounds("loop") >= 9
        assert result.verdict("one") == "faster"
    assert result.median_s("loop") == pytest.approx(launches * LAUNCH_S, rel=0.05)


@pytest.mark.slow
@both_kinds
@pytest.mark.parametrize("launches", [20_000, 60_000, 200_000])
def test_no_block_outlasts_the_time_to_cancel(has_marks, launches):
    lab = Lab(device := SimulatedAccelerator(has_marks), budget_s=6.0)
    lab.run(contenders(device, launches))
    longest_call_s = 1.01 * launches * LAUNCH_S
    assert max(seconds for seconds, _ in lab.blocks) <= max(1.01 * MAX_BLOCK_S, longest_call_s)
    assert any(calls > 1_000 for _, calls in lab.blocks)


@pytest.mark.slow
def test_a_slow_contender_does_not_lengthen_the_others_blocks():
    device = SimulatedAccelerator()
    lab = Lab(device, budget_s=8.0)
    result = lab.run({"slow": device.launches(2, 0.2), "one": device.launches(1, KERNEL_S)})
    assert result.rounds("slow") >= 9
    assert max(seconds for seconds, calls in lab.blocks if calls > 1) <= 1.01 * MAX_BLOCK_S


@both_kinds
def test_cancelling_takes_under_half_a_second(has_marks):
    device, cancelled_at = SimulatedAccelerator(has_marks), []
    one = device.launches(1, KERNEL_S)

    def cancel():
        one()
        cancelled_at.extend([device.now()] if device.now() > 6.0 and not cancelled_at else [])

    lab = Lab(device, budget_s=60.0, cancelled=lambda: bool(cancelled_at))
    result = lab.run({"slow": device.launches(2, 0.8), "one": cancel})
    assert result.cancelled and result.rounds("one")
    assert device.now() <= cancelled_at[0] + 0.5


def test_a_slow_flush_counts_towards_the_budget():
    device = SimulatedAccelerator(has_marks=False, flush_s=4e-3)
    lab = Lab(device)
    result = lab.run(contenders(device, 100))
    assert lab.elapsed_s <= 2 * BUDGET_S
    assert min(result.rounds(name) for name in ("loop", "one", "four")) >= 9


def test_making_arguments_counts_towards_the_budget():
    device = SimulatedAccelerator()

    def make():
        device.compute(0.2)
        return ()

    lab = Lab(device, make_args=make)
    lab.run(contenders(device, 100))
    assert lab.elapsed_s <= 2 * BUDGET_S


def test_many_contenders_share_the_budget():
    device = SimulatedAccelerator()
    lab = Lab(device)
    lab.run({f"loop {number}": device.launches(10_000, KERNEL_S) for number in range(24)})
    assert lab.elapsed_s <= 2 * BUDGET_S


def test_caches_are_cold_before_every_call():
    device = SimulatedAccelerator()
    Lab(device, budget_s=0.2).run(contenders(device, 100))
    calls = [index for index, what in enumerate(device.log) if what == "call"]
    assert calls and all(device.log[index - 3 : index] == ["flush", "wait", "mark"] for index in calls)
