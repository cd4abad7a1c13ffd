"""Peaks are saved per machine, device and threads, and no file on the disk can stop a lesson."""

import json
import warnings
from dataclasses import replace

import pytest
from sample_limits import PEAKS

from course_utils.limits import load_peaks, saved_peaks


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(saved_peaks, "_unsaved", {})
    monkeypatch.setattr(saved_peaks, "_warned_of", set())
    return tmp_path


def test_without_a_measurement_there_are_no_peaks():
    assert load_peaks() is None


def test_saved_peaks_are_loaded_for_their_device_and_threads_only():
    saved_peaks.save_peaks(PEAKS)
    assert load_peaks("cpu", 1) == PEAKS
    assert load_peaks("cpu", 2) is None
    assert load_peaks("cuda:0", 1) is None


def test_an_accelerators_peaks_do_not_depend_on_threads(home):
    saved_peaks.save_peaks(replace(PEAKS, device="cuda:0"))
    assert load_peaks("cuda:0", 1) == load_peaks("cuda:0", 2) == replace(PEAKS, device="cuda:0")
    saved_peaks.save_peaks(replace(PEAKS, device="cuda:0", threads=2))
    assert len(list((home / "limits").iterdir())) == 1


def test_saving_again_leaves_one_complete_file(home):
    saved_peaks.save_peaks(PEAKS)
    saved_peaks.save_peaks(PEAKS)
    (file,) = (home / "limits").iterdir()
    assert json.loads(file.read_text())["matmul"] == PEAKS.matmul


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"format": 3}', '{"format": 3, "bandwidths": 3}'])
def test_a_damaged_file_is_named_and_ignored(home, damage):
    saved_peaks.save_peaks(PEAKS)
    (file,) = (home / "limits").iterdir()
    file.write_text(damage)
    with pytest.warns(saved_peaks.LimitsWarning, match=file.name):
        assert load_peaks() is None


OLDER = {
    "device": "cpu", "threads": 1, "ladder": [[16384, 8e10]], "matmul": {"float32": 1e11}, "launch_s": 1e-6,
    "frameworks": ["torch"], "date": "2026-11-20 18:45", "versions": {}, "machine": "", "launches_s": {},
}  # fmt: skip


def test_a_file_in_an_older_format_is_reported_once(home):
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


def test_if_the_disk_refuses_peaks_last_until_the_process_ends(home):
    (home / "limits").write_text("a file where the folder should be")
    with pytest.warns(saved_peaks.LimitsWarning, match="could not be saved"):
        saved_peaks.save_peaks(PEAKS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_peaks() == PEAKS
