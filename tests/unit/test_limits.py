"""The peaks and the bound are plain arithmetic: exact, on figures made up for the purpose."""

import pytest
from made_up_limits import KIB, MIB, PEAKS

from course_utils.ground.errors import CourseError
from course_utils.limits import Bound, Cost, Peaks, bound


@pytest.mark.parametrize(
    ("working_set", "expected"),
    [
        pytest.param(256 * MIB, 50e9, id="on the last rung"),
        pytest.param(2**40, 50e9, id="past the last rung"),
        pytest.param(17 * MIB, 200e9, id="between two rungs the faster one"),
        pytest.param(16 * MIB, 200e9, id="on a rung"),
        pytest.param(100 * KIB, 300e9, id="small sets are slow only by their launch cost"),
        pytest.param(1, 300e9, id="below the first rung"),
    ],
)
def test_bandwidth_of_a_working_set(working_set, expected):
    assert PEAKS.bytes_per_s(working_set) == expected


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        (Cost(bytes=512 * MIB), Bound(512 * MIB / 50e9, "memory bandwidth")),
        (Cost(flops=2e9), Bound(0.02, "matmul peak")),
        (Cost(flops=2e9, dtype="bfloat16"), Bound(0.005, "matmul peak")),
        (Cost(bytes=512 * MIB, flops=2e9), Bound(0.02, "matmul peak")),
        (Cost(bytes=12, launches=3), Bound(3e-6, "launch cost")),
    ],
)
def test_the_slowest_need_binds(cost, expected):
    assert bound(cost, PEAKS) == expected


def test_a_dtype_that_does_not_run_here_does_not_bind():
    assert bound(Cost(bytes=512 * MIB, flops=1e18, dtype="float16"), PEAKS).binding == "memory bandwidth"


def test_peaks_survive_the_disk_format():
    assert Peaks.from_dict(PEAKS.to_dict()) == PEAKS


@pytest.mark.parametrize("wrong", [{"bytes": -1}, {"flops": float("nan")}, {"flops": 1, "dtype": "int7"}])
def test_an_impossible_cost_is_refused_in_one_sentence(wrong):
    with pytest.raises(CourseError) as refused:
        Cost(**wrong)
    assert str(list(wrong.values())[-1]) in str(refused.value)
    assert str(refused.value).endswith(".")
