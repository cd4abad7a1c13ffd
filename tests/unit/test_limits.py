"""The peaks and the bound are plain arithmetic: exact, on figures made up for the purpose."""

from dataclasses import replace
from itertools import pairwise

import pytest
from made_up_limits import KIB, MIB, PEAKS

from course_utils.core.errors import CourseError
from course_utils.limits import Bound, Cost, Peaks, bound

LAUNCH = "launch cost"
MEMORY = "memory bandwidth"
ACCELERATOR = replace(PEAKS, device="cuda:0")


def copy(size):
    return Cost(reads=size / 2, writes=size / 2)


@pytest.mark.parametrize(
    ("cost", "bytes_per_s"),
    [
        pytest.param(copy(128 * MIB), 12e9, id="on the last rung"),
        pytest.param(copy(2**40), 12e9, id="past the last rung"),
        pytest.param(copy(4 * MIB), 30e9, id="on a rung"),
        pytest.param(copy(2 * MIB), 40e9, id="halfway between two rungs, in seconds a byte"),
        pytest.param(copy(KIB), 60e9, id="below the first rung"),
        pytest.param(Cost(reads=MIB), 120e9, id="only read"),
        pytest.param(Cost(writes=MIB), 40e9, id="only written"),
        pytest.param(Cost(reads=2 * MIB / 3, writes=MIB / 3), 80e9, id="two read, one written"),
        pytest.param(Cost(reads=MIB / 4, writes=3 * MIB / 4), 48e9, id="a mix between a copy and a fill"),
        pytest.param(Cost(updates=MIB), 50e9, id="changed in place"),
        pytest.param(Cost(reads=MIB / 2, updates=MIB / 2), 2 / (1 / 120e9 + 1 / 50e9), id="added in place"),
    ],
)
def test_the_bandwidth_is_that_of_the_works_own_mix_and_size(cost, bytes_per_s):
    assert PEAKS.memory_s(cost) == pytest.approx(cost.touched / bytes_per_s)


def test_what_is_touched_is_the_working_set_whatever_is_done_with_it():
    costs = copy(MIB), Cost(reads=MIB), Cost(updates=MIB), Cost(reads=MIB / 2, updates=MIB / 2)
    assert {cost.touched for cost in costs} == {MIB}


def test_a_small_change_of_the_mix_is_a_small_change_of_the_bound():
    shares = [index / 100 for index in range(101)]
    times = [PEAKS.memory_s(Cost(reads=MIB * (1 - share), writes=MIB * share)) for share in shares]
    assert times == sorted(times)
    assert max(later / earlier for earlier, later in pairwise(times)) < 1.03


def test_on_a_processor_an_operation_is_started_before_it_works():
    size = 128 * KIB
    assert bound(copy(size), PEAKS).seconds == pytest.approx(1e-6 + size / 60e9)
    assert bound(copy(size), PEAKS, "numpy").seconds == pytest.approx(0.3e-6 + size / 60e9)


def test_an_accelerator_starts_operations_while_it_works():
    size = 128 * KIB
    assert bound(copy(size), ACCELERATOR).seconds == pytest.approx(size / 60e9)
    assert bound(Cost(reads=12, launches=3), ACCELERATOR) == Bound(pytest.approx(3e-6), LAUNCH)


def test_a_start_costs_what_the_quickest_operation_of_that_mix_costs():
    assert bound(Cost(writes=4), PEAKS).seconds == pytest.approx(0.5e-6, rel=1e-3)
    assert bound(Cost(reads=2, updates=2), PEAKS).seconds == pytest.approx(0.875e-6, rel=1e-3)
    assert bound(Cost(), PEAKS) == Bound(0.5e-6, LAUNCH)


@pytest.mark.parametrize(
    ("cost", "binding", "seconds"),
    [
        (copy(512 * MIB), MEMORY, 512 * MIB / 12e9 + 1e-6),
        (Cost(flops=2e9), "matmul peak", 0.02 + 0.5e-6),
        (Cost(flops=2e9, dtype="bfloat16"), "matmul peak", 0.005 + 0.5e-6),
        (Cost(reads=512 * MIB, flops=1e9), MEMORY, 512 * MIB / 12e9 + 1e-6),
        (Cost(reads=12, launches=3), LAUNCH, 3e-6 + 12 / 120e9),
        (Cost(reads=MIB, launches=0), MEMORY, MIB / 120e9),
    ],
)
def test_the_slowest_need_binds(cost, binding, seconds):
    assert bound(cost, PEAKS) == Bound(pytest.approx(seconds), binding)


def test_a_dtype_that_does_not_run_here_does_not_bind():
    assert bound(Cost(reads=512 * MIB, flops=1e18, dtype="float16"), PEAKS).binding == MEMORY


def test_float32_that_drops_digits_is_a_peak_of_its_own():
    both = replace(ACCELERATOR, matmul={"float32": 50e12, "tf32": 400e12})
    assert bound(Cost(flops=1e12), both).seconds == pytest.approx(0.02)
    assert bound(Cost(flops=1e12, dtype="tf32"), both).seconds == pytest.approx(0.0025)


def test_a_framework_that_changes_nothing_in_place_writes_instead():
    without = {mix: rungs for mix, rungs in PEAKS.ladders.items() if mix != "update"}
    starts_s = {"tensorflow": {"read": 9e-6, "add": 8e-6, "copy": 6e-6, "write": 5e-6}}
    peaks = replace(PEAKS, ladders=without, starts_s=starts_s)
    assert bound(Cost(updates=MIB), peaks).seconds == pytest.approx(5e-6 + MIB / 40e9)


def test_peaks_survive_the_disk_format():
    assert Peaks.from_dict(PEAKS.to_dict()) == PEAKS


@pytest.mark.parametrize(
    "wrong", [{"reads": -1}, {"writes": -2}, {"updates": -3}, {"flops": float("nan")}, {"flops": 1, "dtype": "int7"}]
)
def test_an_impossible_cost_is_refused_in_one_sentence(wrong):
    with pytest.raises(CourseError) as refused:
        Cost(**wrong)
    assert str(list(wrong.values())[-1]) in str(refused.value)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("cost", "uncertain"),
    [
        (copy(512 * MIB), ("copy 134217728",)),
        (copy(2 * MIB), ("copy 4194304",)),
        (Cost(reads=2 * MIB, writes=MIB / 8), ("add 1048576",)),
        (Cost(flops=2e9, dtype="bfloat16"), ("matmul bfloat16",)),
        (Cost(reads=12, launches=3), ("start read torch",)),
        (Cost(), ("start write torch",)),
    ],
)
def test_a_bound_is_uncertain_where_the_peak_that_binds_is(cost, uncertain):
    assert bound(cost, replace(PEAKS, uncertain=uncertain)).uncertain
    others = ("copy 65536", "matmul float32", "start copy numpy", "start update torch")
    assert not bound(cost, replace(PEAKS, uncertain=others)).uncertain
