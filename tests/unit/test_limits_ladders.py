"""A framework's measurement in virtual time: it ends when it should, leaves no figure out, and finds what is true there."""

from functools import partial

import pytest
from virtual_clock import VirtualClock

from course_utils.limits import measured_sizes, merge_peaks
from course_utils.limits.benchmark_kernels import Kernel, kernels_of
from course_utils.limits.cost import ADD, COPY, MIXES, READ, UPDATE, WRITE
from course_utils.limits.framework_measurement import CHAIN, FrameworkMeasurement
from course_utils.limits.merge_peaks import FrameworkRates
from course_utils.limits.sampling import rates_agree

KIB, MIB = 2**10, 2**20
START_S = 1e-6
CACHE = 3 * MIB // 2
PACE = {READ: 100e9, ADD: 80e9, COPY: 60e9, WRITE: 40e9, UPDATE: 40e9}  # in the cache; a third of it beyond


class MadeUp:
    """A backend of a machine with one cache, whose speed is known; ``busy`` says how many times as long all takes now."""

    climbs = True

    def __init__(self, clock, busy=lambda now: 1.0):
        self.clock, self.busy = clock, busy

    def memory(self, size):
        pace = {mix: each if size <= CACHE else each / 3 for mix, each in PACE.items()}

        def call(mix):
            self.clock.spend((START_S + size / pace[mix]) * self.busy(self.clock.time))

        return {mix: [Kernel(partial(call, mix), size)] for mix in MIXES}

    def matmul(self, dtype, n):
        if dtype != "float32":
            raise TypeError(dtype)
        return Kernel(lambda: self.clock.spend(2 * n**3 / 100e9 * self.busy(self.clock.time)), 2 * n**3)


def measured(seconds=3.0, rivals=None, **backend):
    clock = VirtualClock()
    ladders = FrameworkMeasurement(MadeUp(clock, **backend), "cpu", clock, rivals or {})
    start = clock.time
    ladders.run(seconds, lambda share, name: None)
    return ladders.rates(), clock.time - start


def test_each_mix_gets_the_rate_that_it_has_once_started():
    rates, _ = measured()
    for mix, pace in PACE.items():
        assert rates[f"{mix} {MIB}"] == pytest.approx([pace] * len(rates[f"{mix} {MIB}"]), rel=1e-3)
        assert rates[f"{mix} {128 * MIB}"][0] == pytest.approx(pace / 3)
        assert rates[f"start {mix}"][0] == pytest.approx(1 / START_S, rel=0.01)


def test_where_the_speed_falls_off_a_cache_the_rungs_are_closer():
    rates, _ = measured()
    sizes = sorted(int(name.split()[1]) for name in rates if name.startswith("copy "))
    assert {64 * KIB << step for step in range(12)} <= set(sizes)
    more = [size for size in sizes if size & (size - 1)]
    assert more
    assert all(MIB < size < 2 * MIB for size in more)
    below, above = max(size for size in sizes if size <= CACHE), min(size for size in sizes if size > CACHE)
    assert above / below < 1.2


def test_steep_steps_everywhere_are_noise_and_cost_no_more_than_a_few_rungs():
    jagged = {size: 10.0 ** (index % 2) for index, size in enumerate(measured_sizes.initial_sizes("cpu"))}
    assert len(measured_sizes.refinement_sizes([jagged])) == measured_sizes.MAX_NEW_SIZES


def test_the_time_ends_the_passes():
    rates, spent_s = measured(seconds=3.0)
    assert len(rates[f"copy {MIB}"]) > 1
    assert 3.0 <= spent_s < 3.5


def test_on_a_slow_machine_every_figure_comes_out():
    rates, spent_s = measured(seconds=2.0, busy=lambda now: 20.0)
    assert spent_s < 4.0
    assert all(f"{mix} {size}" in rates for mix in MIXES for size in measured_sizes.initial_sizes("cpu"))


def test_what_did_not_settle_beside_a_busy_neighbour_is_marked_and_the_rest_comes_out():
    rates, _ = measured(seconds=2.0, busy=lambda now: 1.0 + 20.0 * (int(now * 40) % 3))
    peaks = merge_peaks.merge_peaks([FrameworkRates("torch", "A processor", {}, rates)], "cpu", 1)
    unsettled = {name for name, each in rates.items() if not rates_agree(each)}
    assert unsettled
    assert unsettled == {name.removesuffix(" torch") for name in peaks.uncertain}
    for mix in MIXES:
        # A rung may be left out whose time seemed to be that of a start.
        assert peaks.ladders[mix][-1][0] == 128 * MIB
        assert len(peaks.ladders[mix]) > len(measured_sizes.initial_sizes("cpu")) / 2


def test_a_rung_for_which_there_is_no_room_is_left_out():
    class Small(MadeUp):
        def memory(self, size):
            if size > 8 * MIB:
                raise MemoryError
            return super().memory(size)

    clock = VirtualClock()
    ladders = FrameworkMeasurement(Small(clock), "cpu", clock, {})
    ladders.run(1.0, lambda share, name: None)
    found = FrameworkRates("torch", "A processor", {}, ladders.rates())
    assert merge_peaks.merge_peaks([found], "cpu", 1).ladder[-1][0] == 8 * MIB


def test_a_framework_that_another_always_beats_at_memory_measures_none():
    class Beaten(MadeUp):
        climbs = False

    clock = VirtualClock()
    ladders = FrameworkMeasurement(Beaten(clock), "cpu", clock, {})
    ladders.run(0.1, lambda share, name: None)
    assert {name.partition(" ")[0] for name in ladders.rates()} == {"start", "matmul"}


def test_time_that_is_over_at_once_still_gives_every_figure_one_look():
    rates, _ = measured(seconds=0.0)
    assert {f"copy {size}" for size in measured_sizes.initial_sizes("cpu")} <= set(rates)


def test_who_comes_second_measures_its_starts_and_ends_in_time():
    first, _ = measured()
    rivals = merge_peaks.best_rates([FrameworkRates("torch", rates=first)])
    rates, spent_s = measured(seconds=0.0, rivals=rivals)
    assert {name.partition(" ")[0] for name in rates} == {"start"}
    assert spent_s < 0.1


class Accelerator(MadeUp):
    """A call that finds it idle takes ``ALONE_S`` to start, one that finds it at work waits ``NEXT_S`` for its turn."""

    ALONE_S, NEXT_S, PACE = 20e-6, 2e-6, 1e12
    at_work = False

    def memory(self, size):
        def call():
            self.clock.spend((self.NEXT_S if self.at_work else self.ALONE_S) + size / self.PACE)
            self.at_work = True

        return {mix: [Kernel(call, size)] for mix in MIXES}


class ColdClock(VirtualClock):
    """Between two calls of a block the accelerator falls idle."""

    backend = None

    def block(self, function, args, calls):
        seconds = 0.0
        for _ in range(calls):
            self.backend.at_work = False
            seconds += super().block(function, args, 1)
        return seconds


def test_an_accelerators_launch_cost_is_that_of_one_in_a_chain_and_not_that_of_one_alone():
    clock = ColdClock()
    clock.backend = Accelerator(clock)
    ladders = FrameworkMeasurement(clock.backend, "cuda:0", clock, {})
    ladders.run(0.0, lambda share, name: None)
    rates = ladders.rates()
    expected_s = (Accelerator.ALONE_S + (CHAIN - 1) * Accelerator.NEXT_S) / CHAIN
    assert 1 / rates["start copy"][0] == pytest.approx(expected_s, rel=0.01)
    assert rates[f"copy {1024 * MIB}"][0] == pytest.approx(Accelerator.PACE, rel=0.01)


def test_progress_grows_and_names_what_is_measured():
    clock, told = VirtualClock(), []
    FrameworkMeasurement(MadeUp(clock), "cpu", clock, {}).run(2.0, lambda share, name: told.append((share, name)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert 0.9 < shares[-1] <= 1.0
    assert [name for _, name in told[:3]] == ["launch cost", "matmul peak in float32", "memory bandwidth at 64 KB"]


def test_of_two_frameworks_the_better_one_counts_unless_it_was_seen_only_once():
    slow = FrameworkRates("torch", rates={"copy 64": [9.0, 9.0], "start copy": [1.0, 1.0]})
    fast = FrameworkRates("numpy", rates={"copy 64": [10.0, 10.0], "start copy": [2.0, 2.0]})
    once = FrameworkRates("tensorflow", rates={"copy 64": [20.0], "start copy": [3.0]})
    assert merge_peaks.best_rates([slow, fast, once]) == {"copy 64": 10.0}
    assert merge_peaks.merge_peaks([slow, fast, once], "cpu", 1).uncertain == ("start copy tensorflow",)


def test_what_two_frameworks_reached_once_each_is_certain():
    one = FrameworkRates("torch", rates={"copy 64": [100.0], "start copy": [1.0, 1.0]})
    other = FrameworkRates("numpy", rates={"copy 64": [95.0], "start copy": [2.0, 2.0]})
    assert merge_peaks.merge_peaks([one, other], "cpu", 1).uncertain == ()


def test_a_rung_that_was_disturbed_is_no_slower_than_a_larger_one():
    assert merge_peaks.make_monotonic({4: 9.0, 1: 50.0, 2: 5.0, 8: 7.0}) == ((1, 50.0), (2, 9.0), (4, 9.0), (8, 7.0))


@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_kernels_count_what_they_touch(framework):
    pytest.importorskip(framework)
    size = 2**20
    kernels = kernels_of(framework, "cpu")
    memory = kernels.memory(size)
    assert set(memory) == set(MIXES)
    for each in (kernel for mix in memory.values() for kernel in mix):
        each.run()
        assert 0.9 * size <= each.amount <= size
    product = kernels.matmul("float32", 64)
    assert product.run().shape == (64, 64)
    assert product.amount == 2 * 64**3
    with pytest.raises((TypeError, AttributeError)):
        kernels.matmul("tf32", 64)
