"""What counts as the speed of one operation, with a clock and kernels that are made up, so that every figure is exact."""

from itertools import repeat

import pytest
from virtual_clock import VirtualClock

from course_utils.limits import sampling
from course_utils.limits.benchmark_kernels import Kernel
from course_utils.limits.sampling import Probe, Trial, best_rate, rates_agree, typical_rate


@pytest.fixture
def clock():
    return VirtualClock()


def trial(clock, seconds_of_each_call, amount=1.0, idle_s=0.0):
    times = iter(seconds_of_each_call)
    return Trial(Kernel(lambda: clock.spend(next(times)), amount), idle_s)


def test_the_best_block_counts(clock):
    disturbed = trial(clock, [0.005, 0.004, 0.003, 0.001, 0.002, 0.003, 0.004], amount=5.0)
    assert best_rate(clock, disturbed) == pytest.approx(5.0 / 0.001)


def test_a_long_call_is_looked_at_twice_in_a_pass_and_once_in_a_hurry(clock):
    assert best_rate(clock, trial(clock, [0.05, 0.04])) == pytest.approx(1 / 0.04)
    assert best_rate(clock, trial(clock, [0.05, 0.04]), hurried=True) == pytest.approx(1 / 0.05)


def test_a_short_kernel_is_repeated_until_the_block_is_long_enough(clock):
    assert best_rate(clock, trial(clock, repeat(1e-6))) == pytest.approx(1e6)
    assert clock.time > sampling.BLOCKS * sampling.BLOCK_S / 2


def test_blocks_of_a_clock_that_flushes_before_each_call_are_planned_by_the_wall(clock):
    timed = clock.block

    def flushing(function, args, calls):
        clock.time += 0.001 * calls
        return timed(function, args, calls)

    clock.block = flushing
    assert best_rate(clock, trial(clock, repeat(1e-6))) == pytest.approx(1e6)
    assert clock.time < 0.02


def test_a_kernel_far_behind_its_rival_gets_one_look(clock):
    best_rate(clock, trial(clock, repeat(0.001)), rival=2000.0)
    assert clock.calls == 1


def test_what_starting_takes_is_no_part_of_the_rate(clock):
    assert best_rate(clock, trial(clock, repeat(0.003), amount=6.0, idle_s=0.001)) == pytest.approx(6.0 / 0.002)


def test_a_call_that_does_little_but_start_tells_nothing(clock):
    assert best_rate(clock, trial(clock, repeat(0.003), idle_s=0.0025)) == 0.0


@pytest.mark.parametrize(
    ("rates", "expected"),
    [([100.0], 100.0), ([90.0, 100.0], 100.0), ([150.0, 90.0, 100.0], 100.0), ([50.0, 99.0, 20.0, 100.0], 99.0)],
)
def test_one_lucky_pass_of_several_is_not_what_is_typical(rates, expected):
    assert typical_rate(rates) == expected


@pytest.mark.parametrize(
    ("rates", "expected"),
    [([100.0], False), ([100.0, 91.0], True), ([100.0, 89.0], False), ([150.0, 95.0, 100.0], True)],
)
def test_a_figure_is_certain_that_was_reached_twice(rates, expected):
    assert rates_agree(rates) is expected


def test_of_the_kernels_for_a_figure_the_fastest_counts(clock):
    probe = Probe("two", lambda: {"copy 64": [trial(clock, repeat(0.004)), trial(clock, repeat(0.001))]})
    probe.look(clock)
    probe.look(clock)
    assert probe.rates == {"copy 64": pytest.approx([1000.0, 1000.0])}


def test_what_another_framework_does_better_is_not_looked_at_again(clock):
    probe = Probe("one", lambda: {"copy 64": [trial(clock, repeat(0.001))]}, rivals={"copy 64": 1010.0})
    probe.look(clock)
    assert probe.beaten()
    spent_s = clock.time
    probe.look(clock)
    assert clock.time == spent_s
