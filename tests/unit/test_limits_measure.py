"""The real measurement in real processes: it always succeeds, and ends when it is cancelled."""

import threading
import time

import pytest

from course_utils import frameworks, limits
from course_utils.core.errors import CourseError
from course_utils.frameworks import devices
from course_utils.limits import measure, measured_sizes, saved_peaks
from course_utils.limits.cost import MIXES
from course_utils.limits.peaks import COPYING

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))


def test_a_measurement_returns_plausible_peaks():
    reports = []
    peaks = limits.measure_peaks("cpu", 1, lambda share, message: reports.append((share, message)))
    assert limits.load_peaks() == peaks
    assert set(peaks.frameworks) == {"numpy", *frameworks.installed_versions()}
    assert peaks.machine == devices.describe("cpu")
    assert [share for share, _ in reports] == sorted(share for share, _ in reports)
    assert reports[-1] == (1.0, "done")
    for mix in MIXES:
        # If a call is mostly launch cost, it has no bandwidth.
        assert {size for size, _ in peaks.bandwidths[mix]} >= set(measured_sizes.initial_sizes("cpu")[3:])
        assert all(1e8 < speed < 1e13 for _, speed in peaks.bandwidths[mix])
    assert all(1e8 < flops < 1e15 for flops in peaks.matmul.values())
    assert {"float32", "float64"} <= set(peaks.matmul)
    assert "tf32" not in peaks.matmul
    assert 1e-8 < peaks.launch_s(COPYING) < 1e-3
    assert 1e-10 < peaks.step_s < 1e-7
    reports.clear()
    assert limits.ensure_peaks("cpu", 1, lambda share, message: reports.append(message)) == peaks
    assert not reports, "saved limits are not measured again"


def test_a_missing_device_is_named_once_and_not_looked_for_again(monkeypatch):
    calls = []

    def measure_with_one_framework(*args):  # A framework takes seconds to import.
        calls.append(args)
        return limits.measure_peaks(*args, frameworks=[*frameworks.installed_versions()][:1])

    monkeypatch.setattr(measure, "measure_peaks", measure_with_one_framework)
    with pytest.warns(saved_peaks.LimitsWarning, match="There is no device 'cuda:6' on this machine"):
        assert limits.ensure_peaks("cuda:6") is None
    assert limits.ensure_peaks("cuda:6") is None
    assert len(calls) == 1


@pytest.mark.parametrize("threads", [0, 1.5, None])
def test_an_impossible_number_of_threads_is_named(threads):
    with pytest.raises(CourseError, match=f"threads must be an integer of 1 or more; got {threads!r}"):
        limits.measure_peaks("cpu", threads)


def test_a_cancelled_measurement_ends_at_the_next_report():
    cancel = threading.Event()
    with pytest.raises(limits.LimitsStopped, match="nothing was saved"):
        limits.measure_peaks("cpu", 1, lambda share, message: cancel.set(), cancel)


def test_a_measurement_can_be_cancelled_during_imports():
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    start = time.perf_counter()
    assert limits.ensure_peaks("cpu", 1, cancel=cancel) is None
    assert time.perf_counter() - start < 2.0
    assert limits.load_peaks() is None
