"""The real measurement, in real processes: it ends in time with plausible peaks, or refuses with a sentence."""

import threading

import pytest

from course_utils import limits
from course_utils.frameworks import devices
from course_utils.ground.errors import CourseError

pytestmark = pytest.mark.process


def test_a_measurement_finds_plausible_peaks_or_says_that_the_machine_is_too_busy(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    told = []
    try:
        peaks = limits.measure("cpu", 1, lambda share, message: told.append((share, message)))
    except limits.LimitsUnsteady as refusal:
        assert "passes differ by" in str(refusal)
        assert "measure again" in str(refusal)
        assert limits.known() is None
        return
    assert limits.known() == peaks
    assert peaks.frameworks == ("numpy", *devices.installed())
    assert peaks.machine == devices.describe("cpu")
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert told[-1] == (1.0, "done")
    sizes = [size for size, _ in peaks.ladder]
    assert sizes == [2**14 << step for step in range(15)]
    assert all(1e9 < speed < 1e13 for _, speed in peaks.ladder)
    assert all(1e8 < flops < 1e15 for flops in peaks.matmul.values())
    assert {"float32", "float64"} <= set(peaks.matmul)
    assert 1e-8 < peaks.launch_s < 1e-3


def test_a_missing_device_is_named():
    with pytest.raises(CourseError, match=r"There is no device 'cuda:7' on this machine"):
        limits.measure("cuda:7")


@pytest.mark.parametrize("threads", [0, 1.5, None])
def test_a_number_of_threads_that_cannot_compute_is_named(threads):
    with pytest.raises(CourseError, match=f"threads={threads!r} cannot compute anything; give 1 or more"):
        limits.measure("cpu", threads)


def test_a_cancelled_measurement_ends_at_the_next_step():
    cancel = threading.Event()
    with pytest.raises(limits.LimitsStopped, match="nothing was kept"):
        limits.measure("cpu", 1, lambda share, message: cancel.set(), cancel)
