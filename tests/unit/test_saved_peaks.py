"""Limits are kept per machine, device and threads, in one step, and nothing on the disk can stop a lesson."""

import json
import warnings
from dataclasses import replace

import pytest
from made_up_limits import PEAKS

from course_utils.limits import load_peaks, saved_peaks


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(saved_peaks, "_in_memory", {})
    monkeypatch.setattr(saved_peaks, "_told", set())
    return tmp_path


def test_nothing_is_known_before_a_measurement():
    assert load_peaks() is None


def test_what_is_kept_is_known_again_for_its_device_and_threads_only():
    saved_peaks.save_peaks(PEAKS)
    assert load_peaks("cpu", 1) == PEAKS
    assert load_peaks("cpu", 2) is None
    assert load_peaks("cuda:0", 1) is None


def test_an_accelerator_is_the_same_whatever_number_of_threads_the_processor_uses(home):
    saved_peaks.save_peaks(replace(PEAKS, device="cuda:0"))
    assert load_peaks("cuda:0", 1) == load_peaks("cuda:0", 2) == replace(PEAKS, device="cuda:0")
    saved_peaks.save_peaks(replace(PEAKS, device="cuda:0", threads=2))
    assert len(list((home / "limits").iterdir())) == 1


def test_a_rewrite_leaves_one_whole_file(home):
    saved_peaks.save_peaks(PEAKS)
    saved_peaks.save_peaks(PEAKS)
    (file,) = (home / "limits").iterdir()
    assert json.loads(file.read_text())["matmul"] == PEAKS.matmul


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"ladders": 3}'])
def test_a_damaged_file_is_named_and_skipped(home, damage):
    saved_peaks.save_peaks(PEAKS)
    (file,) = (home / "limits").iterdir()
    file.write_text(damage)
    with pytest.warns(saved_peaks.LimitsWarning, match=file.name):
        assert load_peaks() is None


OLDER = {
    "device": "cpu", "threads": 1, "ladder": [[16384, 8e10]], "matmul": {"float32": 1e11}, "launch_s": 1e-6,
    "frameworks": ["torch"], "date": "2026-11-20 18:45", "versions": {}, "machine": "", "launches_s": {},
}  # fmt: skip


def test_a_file_of_an_older_version_is_told_of_once_and_measured_anew(home):
    saved_peaks.save_peaks(PEAKS)
    (file,) = (home / "limits").iterdir()
    file.write_text(json.dumps(OLDER))
    with pytest.warns(
        saved_peaks.LimitsWarning, match=f"{file.name} are of another version of the course; measure them again"
    ):
        assert load_peaks() is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_peaks() is None
    saved_peaks.save_peaks(PEAKS)
    assert load_peaks() == PEAKS


def test_where_the_disk_refuses_limits_last_as_long_as_the_process(home):
    (home / "limits").write_text("a file where the folder should be")
    with pytest.warns(saved_peaks.LimitsWarning, match="could not be kept"):
        saved_peaks.save_peaks(PEAKS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_peaks() == PEAKS
