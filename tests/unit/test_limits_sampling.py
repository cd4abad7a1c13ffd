"""The rate of one operation, in virtual time with invented kernels, so that every figure is exact."""

from itertools import repeat

import pytest
from virtual_clock import VirtualClock

from course_utils.limits import sampling
from course_utils.limits.benchmark_kernels import Kernel
from course_utils.limits.sampling import Probe, Trial, best_rate, typical_rate, was_reached_twice


@pytest.fixture
def clock():
    return VirtualClock()


def trial(clock, seconds_of_each_call, amount=1.0, launch_s=0.0):
    times = iter(seconds_of_each_call)
    return Trial(Kernel(lambda: clock.spend(next(times)), amount), launch_s)


def test_the_best_block_counts(clock):
    disturbed = trial(clock, [0.005, 0.004, 0.003, 0.001, 0.002, 0.003, 0.004], amount=5.0)
    assert best_rate(clock, disturbed) == pytest.approx(5.0 / 0.001)


def test_long_and_hurried_calls_get_fewer_blocks(clock):
    assert best_rate(clock, trial(clock, [0.05, 0.04])) == pytest.approx(1 / 0.04)
    assert best_rate(clock, trial(clock, [0.05, 0.04]), hurried=True) == pytest.approx(1 / 0.05)
    assert best_rate(clock, trial(clock, [0.2, 0.1])) == pytest.approx(1 / 0.2)


def test_a_short_kernel_is_repeated_to_fill_a_block(clock):
    assert best_rate(clock, trial(clock, repeat(1e-6))) == pytest.approx(1e6)
    assert clock.time > sampling.BLOCKS * sampling.BLOCK_S / 2


def test_blocks_are_planned_in_wall_time_if_the_clock_flushes(clock):
    timed = clock.block

    def flushing(function, args, calls):
        clock.time += 0.001 * calls
        return timed(function, args, calls)

    clock.block = flushing
    assert best_rate(clock, trial(clock, repeat(1e-6))) == pytest.approx(1e6)
    assert clock.time < 0.02


def test_a_kernel_far_below_the_known_rate_gets_one_block(clock):
    best_rate(clock, trial(clock, repeat(0.001)), known_rate=2000.0)
    assert clock.calls == 1


def test_the_launch_cost_is_not_part_of_the_rate(clock):
    assert best_rate(clock, trial(clock, repeat(0.003), amount=6.0, launch_s=0.001)) == pytest.approx(6.0 / 0.002)


def test_a_call_that_is_mostly_launch_cost_has_no_rate(clock):
    assert best_rate(clock, trial(clock, repeat(0.003), launch_s=0.0025)) == 0.0


@pytest.mark.parametrize(
    ("rates", "expected"),
    [([100.0], 100.0), ([90.0, 100.0], 100.0), ([150.0, 90.0, 100.0], 100.0), ([50.0, 99.0, 20.0, 100.0], 99.0)],
)
def test_one_lucky_pass_is_not_typical(rates, expected):
    assert typical_rate(rates) == expected


@pytest.mark.parametrize(
    ("rates", "expected"),
    [([100.0], False), ([100.0, 91.0], True), ([100.0, 89.0], False), ([150.0, 95.0, 100.0], True)],
)
def test_passes_agree_if_the_typical_rate_was_reached_twice(rates, expected):
    assert was_reached_twice(typical_rate(rates), rates) is expected


def test_the_fastest_kernel_of_a_figure_counts(clock):
    probe = Probe("two", lambda: {"copy 64": [trial(clock, repeat(0.004)), trial(clock, repeat(0.001))]})
    probe.sample(clock)
    probe.sample(clock)
    assert probe.rates == {"copy 64": pytest.approx([1000.0, 1000.0])}


def test_an_outperformed_figure_is_not_measured_again(clock):
    probe = Probe("one", lambda: {"copy 64": [trial(clock, repeat(0.001))]}, known_rates={"copy 64": 1010.0})
    probe.sample(clock)
    assert probe.is_outperformed()
    spent_s = clock.time
    probe.sample(clock)
    assert clock.time == spent_s
