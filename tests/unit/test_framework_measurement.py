"""A framework's measurement in virtual time: it ends in time, leaves no figure out, and finds the true rates."""

from functools import partial

import pytest
from virtual_clock import VirtualClock

from course_utils.limits import measured_sizes, merge_peaks
from course_utils.limits.benchmark_kernels import Kernel, kernels_of
from course_utils.limits.cost import ADD, COPY, MIXES, READ, UPDATE, WRITE
from course_utils.limits.framework_measurement import CHAINED_LAUNCHES, FrameworkMeasurement
from course_utils.limits.merge_peaks import FrameworkRates
from course_utils.limits.sampling import typical_rate, was_reached_twice

KIB, MIB = 2**10, 2**20
LAUNCH_S = 1e-6
CACHE = 3 * MIB // 2
RATES = {
    READ: 100e9,
    ADD: 80e9,
    COPY: 60e9,
    WRITE: 40e9,
    UPDATE: 40e9,
}  # The rates in the cache; a third of them beyond it.


class InventedKernels:
    """The kernels of a machine with one cache and known rates; ``slowdown(now)`` is the factor that other load adds."""

    measures_bandwidth = True

    def __init__(self, clock, slowdown=lambda now: 1.0):
        self.clock, self.slowdown = clock, slowdown

    def memory(self, size):
        rates = {mix: rate if size <= CACHE else rate / 3 for mix, rate in RATES.items()}

        def call(mix):
            self.clock.spend((LAUNCH_S + size / rates[mix]) * self.slowdown(self.clock.time))

        return {mix: [Kernel(partial(call, mix), size)] for mix in MIXES}

    def steps(self, count):
        return [Kernel(lambda: self.clock.spend(count * 1e-9 * self.slowdown(self.clock.time)), count)]

    def matmul(self, dtype, n):
        if dtype != "float32":
            raise TypeError(dtype)
        return Kernel(lambda: self.clock.spend(2 * n**3 / 100e9 * self.slowdown(self.clock.time)), 2 * n**3)


def measure(seconds=3.0, known_rates=None, **options):
    clock = VirtualClock()
    measurement = FrameworkMeasurement(InventedKernels(clock, **options), "cpu", clock, known_rates or {})
    start = clock.time
    measurement.run(seconds, lambda share, name: None)
    return measurement.rates(), clock.time - start


def test_each_mix_gets_its_rate_without_the_launch_cost():
    rates, _ = measure()
    for mix, rate in RATES.items():
        assert rates[f"{mix} {MIB}"] == pytest.approx([rate] * len(rates[f"{mix} {MIB}"]), rel=1e-3)
        assert rates[f"{mix} {128 * MIB}"][0] == pytest.approx(rate / 3)
        assert rates[f"launch {mix}"][0] == pytest.approx(1 / LAUNCH_S, rel=0.01)


def test_the_matmul_peak_is_measured_up_to_side_2048():
    sides = []

    class SlowSmallProducts(InventedKernels):
        def matmul(self, dtype, n):
            sides.append(n)
            rate = 90e9 * n / (n + 200)
            return Kernel(lambda: self.clock.spend(2 * n**3 / rate), 2 * n**3)

    clock = VirtualClock()
    measurement = FrameworkMeasurement(SlowSmallProducts(clock), "cpu", clock, {})
    measurement.run(3.0, lambda share, name: None)
    peak = typical_rate(measurement.rates()["matmul float32"])
    assert max(sides) == 2048
    assert peak == pytest.approx(90e9 * 2048 / 2248, rel=1e-6)


def test_products_far_below_the_known_rate_stop_growing():
    clock, sides = VirtualClock(), []

    class SlowProducts(InventedKernels):
        def matmul(self, dtype, n):
            sides.append(n)
            return super().matmul(dtype, n)

    FrameworkMeasurement(SlowProducts(clock), "cpu", clock, {"matmul float32": 1e12}).run(1.0, lambda share, name: None)
    assert max(sides) == 512


def test_sizes_are_closer_where_the_bandwidth_falls():
    rates, _ = measure()
    sizes = sorted(int(name.split()[1]) for name in rates if name.startswith("copy "))
    assert {64 * KIB << step for step in range(12)} <= set(sizes)
    added = [size for size in sizes if size & (size - 1)]
    assert added
    assert all(MIB < size < 2 * MIB for size in added)
    below, above = max(size for size in sizes if size <= CACHE), min(size for size in sizes if size > CACHE)
    assert above / below < 1.2


def test_noise_adds_only_a_few_sizes():
    jagged = {size: 10.0 ** (index % 2) for index, size in enumerate(measured_sizes.initial_sizes("cpu"))}
    assert len(measured_sizes.refinement_sizes([jagged])) == measured_sizes.MAX_NEW_SIZES


def test_passes_end_when_the_time_is_over():
    rates, spent_s = measure(seconds=3.0)
    assert len(rates[f"copy {MIB}"]) > 1
    assert 3.0 <= spent_s < 3.5


def test_a_slow_machine_still_gets_every_figure():
    rates, spent_s = measure(seconds=2.0, slowdown=lambda now: 20.0)
    assert spent_s < 4.0
    assert all(f"{mix} {size}" in rates for mix in MIXES for size in measured_sizes.initial_sizes("cpu"))


def test_figures_disturbed_by_other_load_are_marked_uncertain():
    rates, _ = measure(seconds=2.0, slowdown=lambda now: 1.0 + 20.0 * (int(now * 40) % 3))
    peaks = merge_peaks.merge_peaks([FrameworkRates("torch", "A processor", {}, rates)], "cpu", 1)
    figures = {name: (max if name.startswith("launch") else typical_rate)(each) for name, each in rates.items()}
    uncertain = {name for name, figure in figures.items() if not was_reached_twice(figure, rates[name])}
    assert uncertain
    assert uncertain == {name.removesuffix(" torch") for name in peaks.uncertain}
    for mix in MIXES:
        # A size is left out if its time seemed to be launch cost only.
        assert peaks.bandwidths[mix][-1][0] == 128 * MIB
        assert len(peaks.bandwidths[mix]) > len(measured_sizes.initial_sizes("cpu")) / 2


def test_the_best_pass_of_a_launch_cost_counts():
    rates = {f"copy {MIB}": [1e9, 1e9], "launch copy": [4e5, 1e6, 5e5]}
    peaks = merge_peaks.merge_peaks([FrameworkRates("torch", "A processor", {}, rates)], "cpu", 1)
    assert peaks.launches_s == {"torch": {"copy": 1e-6}}
    assert peaks.uncertain == ("launch copy torch",)


def test_a_size_that_exceeds_memory_is_left_out():
    class Small(InventedKernels):
        def memory(self, size):
            if size > 8 * MIB:
                raise MemoryError
            return super().memory(size)

    clock = VirtualClock()
    measurement = FrameworkMeasurement(Small(clock), "cpu", clock, {})
    measurement.run(1.0, lambda share, name: None)
    measured = FrameworkRates("torch", "A processor", {}, measurement.rates())
    assert merge_peaks.merge_peaks([measured], "cpu", 1).copy_bandwidths[-1][0] == 8 * MIB


def test_a_framework_may_leave_bandwidth_to_others():
    class WithoutBandwidth(InventedKernels):
        measures_bandwidth = False

    clock = VirtualClock()
    measurement = FrameworkMeasurement(WithoutBandwidth(clock), "cpu", clock, {})
    measurement.run(0.1, lambda share, name: None)
    assert {name.partition(" ")[0] for name in measurement.rates()} == {"launch", "matmul", "steps"}


def test_without_time_every_figure_still_gets_one_block():
    rates, _ = measure(seconds=0.0)
    assert {f"copy {size}" for size in measured_sizes.initial_sizes("cpu")} <= set(rates)


def test_a_second_framework_without_time_measures_launch_costs_and_steps():
    first, _ = measure()
    known_rates = merge_peaks.best_rates([FrameworkRates("torch", rates=first)])
    rates, spent_s = measure(seconds=0.0, known_rates=known_rates)
    assert {name.partition(" ")[0] for name in rates} == {"launch", "steps"}
    assert spent_s < 0.1


class Accelerator(InventedKernels):
    """A call takes ``IDLE_S`` to launch if the device is idle, and ``BUSY_S`` if it is working."""

    IDLE_S, BUSY_S, RATE = 20e-6, 2e-6, 1e12
    is_working = False

    def memory(self, size):
        def call():
            self.clock.spend((self.BUSY_S if self.is_working else self.IDLE_S) + size / self.RATE)
            self.is_working = True

        return {mix: [Kernel(call, size)] for mix in MIXES}


class ColdClock(VirtualClock):
    """A stopwatch that lets the accelerator become idle before each call of a block."""

    kernels = None

    def block(self, function, args, calls):
        seconds = 0.0
        for _ in range(calls):
            self.kernels.is_working = False
            seconds += super().block(function, args, 1)
        return seconds


def test_an_accelerators_launch_cost_is_measured_in_a_queue_of_calls():
    clock = ColdClock()
    clock.kernels = Accelerator(clock)
    measurement = FrameworkMeasurement(clock.kernels, "cuda:0", clock, {})
    measurement.run(0.0, lambda share, name: None)
    rates = measurement.rates()
    expected_s = (Accelerator.IDLE_S + (CHAINED_LAUNCHES - 1) * Accelerator.BUSY_S) / CHAINED_LAUNCHES
    assert 1 / rates["launch copy"][0] == pytest.approx(expected_s, rel=0.01)
    assert rates[f"copy {1024 * MIB}"][0] == pytest.approx(Accelerator.RATE, rel=0.01)


def test_progress_increases_and_names_each_probe():
    clock, reports = VirtualClock(), []
    FrameworkMeasurement(InventedKernels(clock), "cpu", clock, {}).run(
        2.0, lambda share, name: reports.append((share, name))
    )
    shares = [share for share, _ in reports]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert 0.9 < shares[-1] <= 1.0
    names = [name for _, name in reports]
    assert names[:4] == ["launch cost", "dependent steps", "launch cost", "matmul peak in float32"]
    assert "memory bandwidth at 64 KB" in names


def test_the_best_framework_counts_if_it_has_two_passes():
    slow = FrameworkRates("torch", rates={"copy 64": [9.0, 9.0], "launch copy": [1.0, 1.0]})
    fast = FrameworkRates("numpy", rates={"copy 64": [10.0, 10.0], "launch copy": [2.0, 2.0]})
    once = FrameworkRates("tensorflow", rates={"copy 64": [20.0], "launch copy": [3.0]})
    assert merge_peaks.best_rates([slow, fast, once]) == {"copy 64": 10.0}
    assert merge_peaks.merge_peaks([slow, fast, once], "cpu", 1).uncertain == ("launch copy tensorflow",)


def test_two_frameworks_with_one_pass_each_make_a_figure_certain():
    one = FrameworkRates("torch", rates={"copy 64": [100.0], "launch copy": [1.0, 1.0]})
    other = FrameworkRates("numpy", rates={"copy 64": [95.0], "launch copy": [2.0, 2.0]})
    assert merge_peaks.merge_peaks([one, other], "cpu", 1).uncertain == ()


def test_a_disturbed_size_is_as_fast_as_a_larger_one():
    assert merge_peaks.make_monotonic({4: 9.0, 1: 50.0, 2: 5.0, 8: 7.0}) == ((1, 50.0), (2, 9.0), (4, 9.0), (8, 7.0))


@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_kernels_count_their_bytes(framework):
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
