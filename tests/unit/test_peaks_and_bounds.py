"""Peaks and bounds are plain arithmetic: exact on invented figures, and never falling on random ones."""

import random
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest
from sample_limits import KIB, MIB, PEAKS

from course_utils.core.errors import CourseError
from course_utils.limits import Bound, Cost, bound, raise_peaks
from course_utils.limits.merge_peaks import make_monotonic

LAUNCH, MEMORY, MATMUL, STEPS = "launch cost", "memory bandwidth", "matmul peak", "dependent steps"
ACCELERATOR = replace(PEAKS, device="cuda:0")


def copy(size):
    return Cost(reads=size / 2, writes=size / 2)


@pytest.mark.parametrize(
    ("cost", "bytes_per_s"),
    [
        pytest.param(copy(128 * MIB), 12e9, id="at the largest size"),
        pytest.param(copy(2**40), 12e9, id="beyond the largest size"),
        pytest.param(copy(4 * MIB), 30e9, id="at a measured size"),
        pytest.param(copy(2 * MIB), 40e9, id="halfway between two sizes, in seconds per byte"),
        pytest.param(copy(KIB), 60e9, id="below the smallest size"),
        pytest.param(Cost(reads=MIB), 120e9, id="only read"),
        pytest.param(Cost(writes=MIB), 40e9, id="only written"),
        pytest.param(Cost(reads=2 * MIB / 3, writes=MIB / 3), 80e9, id="two read, one written"),
        pytest.param(Cost(reads=MIB / 4, writes=3 * MIB / 4), 48e9, id="a mix between a copy and a fill"),
        pytest.param(Cost(updates=MIB), 50e9, id="changed in place"),
        pytest.param(Cost(reads=MIB / 2, updates=MIB / 2), 2 / (1 / 120e9 + 1 / 50e9), id="added in place"),
    ],
)
def test_bandwidth_depends_on_mix_and_working_set(cost, bytes_per_s):
    assert PEAKS.memory_s(cost) == pytest.approx(cost.working_set / bytes_per_s)


def test_the_working_set_counts_each_byte_once():
    costs = copy(MIB), Cost(reads=MIB), Cost(updates=MIB), Cost(reads=MIB / 2, updates=MIB / 2)
    assert {cost.working_set for cost in costs} == {MIB}


def test_a_small_change_of_the_mix_is_a_small_change_of_the_bound():
    shares = [index / 100 for index in range(101)]
    times = [PEAKS.memory_s(Cost(reads=MIB * (1 - share), writes=MIB * share)) for share in shares]
    assert times == sorted(times)
    assert max(later / earlier for earlier, later in pairwise(times)) < 1.03


def test_on_a_cpu_calls_are_added():
    size = 128 * KIB
    assert bound(copy(size), PEAKS).seconds == pytest.approx(1e-6 + size / 60e9)
    assert bound(copy(size), PEAKS, "numpy").seconds == pytest.approx(0.3e-6 + size / 60e9)


def test_on_an_accelerator_calls_overlap_with_work():
    size = 128 * KIB
    assert bound(copy(size), ACCELERATOR).seconds == pytest.approx(size / 60e9)
    assert bound(Cost(reads=12, launches=3), ACCELERATOR) == Bound(pytest.approx(3e-6), LAUNCH)


@pytest.mark.parametrize(
    ("cost", "seconds", "figure"),
    [
        (Cost(writes=4), 0.5e-6, "launch write torch"),
        (Cost(updates=4), 0.75e-6, "launch update torch"),
        (Cost(writes=4, updates=4), 0.75e-6, "launch update torch"),
        (Cost(reads=2, writes=200), 1e-6, "launch copy torch"),
        (Cost(reads=2, updates=2), 0.9e-6, "launch read torch"),
        (Cost(flops=8), 0.5e-6, "launch write torch"),
    ],
)
def test_a_launch_costs_as_much_as_the_quickest_operation_with_the_same_accesses(cost, seconds, figure):
    launches_s = {"read": 0.9e-6, "add": 1.2e-6, "copy": 1e-6, "write": 0.5e-6, "update": 0.75e-6}
    peaks = replace(PEAKS, launches_s={"torch": launches_s})
    assert peaks.launch_s(cost) == seconds
    assert peaks.launch_figure(cost) == figure


def test_without_a_framework_the_lowest_launch_cost_counts():
    both = replace(
        PEAKS, launches_s={"torch": {"read": 3e-6, "copy": 1e-6}, "tensorflow": {"read": 2e-6, "copy": 9e-6}}
    )
    assert [both.launch_s(cost) for cost in (Cost(reads=1), Cost(reads=1, writes=1))] == [1e-6, 1e-6]
    assert both.launch_s(Cost(reads=1), "tensorflow") == 2e-6
    assert both.launch_s(Cost(reads=1), "numpy") == 1e-6, "NumPy was not measured"


@pytest.mark.parametrize(
    ("cost", "binding", "seconds"),
    [
        (copy(512 * MIB), MEMORY, 512 * MIB / 12e9 + 1e-6),
        (Cost(flops=2e9), MATMUL, 0.0025 + 0.5e-6),
        (Cost(flops=2e9, dtype="bfloat16"), MATMUL, 0.0001 + 0.5e-6),
        (Cost(reads=512 * MIB, flops=1e9), MEMORY, 512 * MIB / 12e9 + 1e-6),
        (Cost(reads=12, launches=3), LAUNCH, 3e-6 + 12 / 120e9),
        (Cost(reads=MIB, launches=0), MEMORY, MIB / 120e9),
        (Cost(reads=16384, chain=4096), STEPS, 4.096e-6 + 1e-6),
        (Cost(reads=MIB, chain=4096), MEMORY, MIB / 120e9 + 1e-6),
    ],
)
def test_the_largest_term_binds(cost, binding, seconds):
    assert bound(cost, PEAKS) == Bound(pytest.approx(seconds), binding)


def test_an_unsupported_dtype_does_not_bind():
    assert bound(Cost(reads=512 * MIB, flops=1e18, dtype="float16"), PEAKS).binding == MEMORY


def test_tf32_has_a_peak_of_its_own():
    both = replace(ACCELERATOR, matmul={"float32": 50e12, "tf32": 400e12})
    assert bound(Cost(flops=1e12), both).seconds == pytest.approx(0.02)
    assert bound(Cost(flops=1e12, dtype="tf32"), both).seconds == pytest.approx(0.0025)


def test_a_framework_without_updates_in_place_writes_instead():
    without = {mix: curve for mix, curve in PEAKS.bandwidths.items() if mix != "update"}
    launches_s = {"tensorflow": {"read": 9e-6, "add": 8e-6, "copy": 6e-6, "write": 5e-6}}
    peaks = replace(PEAKS, bandwidths=without, launches_s=launches_s)
    assert bound(Cost(updates=MIB), peaks).seconds == pytest.approx(5e-6 + MIB / 40e9)


def random_peaks(generator):
    """Return peaks without any order between mixes, sizes and operators, as a busy machine may produce them."""
    sizes = [64 * KIB << step for step in range(6)]
    return replace(
        PEAKS,
        device=generator.choice(["cpu", "cuda:0"]),
        bandwidths={
            mix: make_monotonic({size: generator.uniform(1e9, 100e9) for size in sizes})
            for mix in ("copy", *generator.sample(["read", "add", "write", "update"], generator.randint(0, 4)))
        },
        launches_s={
            framework: {
                mix: generator.uniform(1e-7, 1e-5)
                for mix in ("copy", *generator.sample(["read", "add", "write", "update"], 3))
            }
            for framework in ("torch", "numpy", "tensorflow")
        },
        step_s=generator.uniform(0, 5e-9),
    )


def random_cost(generator):
    amounts = {name: generator.choice([0, 10 ** generator.uniform(0, 8)]) for name in ("reads", "writes", "updates")}
    return Cost(
        **amounts,
        flops=generator.choice([0, 1e6]),
        launches=generator.choice([0, 1, 7]),
        chain=generator.choice([0, 999]),
    )


@pytest.mark.parametrize("seed", range(200))
def test_a_bound_never_falls_as_the_work_grows(seed):
    generator = random.Random(seed)
    peaks, framework = random_peaks(generator), generator.choice([None, "torch", "tensorflow"])
    for _ in range(4):
        cost = random_cost(generator)
        before_s = bound(cost, peaks, framework).seconds
        for name in ("reads", "writes", "updates", "flops", "launches", "chain"):
            grown = replace(cost, **{name: getattr(cost, name) + generator.choice([1, 1e4, 1e8])})
            assert bound(grown, peaks, framework).seconds >= before_s * (1 - 1e-12), (cost, name)


def test_the_bound_of_all_pairs_grows_with_the_points():
    bounds = [bound(Cost(reads=12 * n, writes=2 * n * (n - 1)), PEAKS).seconds for n in (4, 16, 64, 256)]
    assert bounds == sorted(bounds)


def test_an_operation_that_moves_more_in_less_time_lowers_the_bound():
    slow_copy = replace(PEAKS, bandwidths=PEAKS.bandwidths | {"copy": ((64 * KIB, 10e9),)})
    assert slow_copy.memory_s(copy(MIB)) == pytest.approx(1.5 * MIB / 80e9), "an addition moves twice the reads"
    assert slow_copy.memory_figures(copy(MIB)) == {f"add {MIB}", f"add {4 * MIB}"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"reads": -1},
        {"writes": -2},
        {"updates": -3},
        {"chain": -4},
        {"flops": float("nan")},
        {"flops": 1, "dtype": "int7"},
    ],
)
def test_an_impossible_cost_gets_one_sentence(wrong):
    with pytest.raises(CourseError) as raised:
        Cost(**wrong)
    assert str(list(wrong.values())[-1]) in str(raised.value)
    assert str(raised.value).endswith(".")


@pytest.mark.parametrize(
    ("cost", "uncertain"),
    [
        (copy(512 * MIB), ("copy 134217728",)),
        (copy(2 * MIB), ("copy 4194304",)),
        (Cost(reads=2 * MIB, writes=MIB / 8), ("add 1048576",)),
        (Cost(flops=2e9, dtype="bfloat16"), ("matmul bfloat16",)),
        (Cost(reads=12, launches=3), ("launch read torch", "launch copy torch", "launch add torch")),
        (Cost(), ("launch write torch",)),
        (Cost(chain=4096), ("steps",)),
    ],
)
def test_a_bound_is_uncertain_if_its_binding_peak_is(cost, uncertain):
    assert bound(cost, replace(PEAKS, uncertain=uncertain)).uncertain
    others = ("copy 65536", "matmul float32", "launch copy numpy", "launch update torch")
    assert not bound(cost, replace(PEAKS, uncertain=others)).uncertain


@pytest.mark.parametrize("share", [1.05, 2.0])
def test_only_a_clearly_higher_rate_raises_the_peaks_at_its_working_set_and_below(monkeypatch, share):
    size = 4 * MIB
    known = size / PEAKS.memory_s(copy(size))
    kernels = SimpleNamespace(memory=lambda size: {"copy": [None]})
    monkeypatch.setitem(raise_peaks.__globals__, "kernels_of", lambda framework, device: kernels)
    monkeypatch.setitem(raise_peaks.__globals__, "best_rate", lambda clock, trial, known: share * known)
    raised = raise_peaks(PEAKS, None, [size])
    assert (raised is PEAKS) == (share < 1.1)
    assert size / raised.memory_s(copy(size)) == pytest.approx(known * (share if share > 1.1 else 1))
    assert raised.memory_s(copy(128 * MIB)) == PEAKS.memory_s(copy(128 * MIB))
