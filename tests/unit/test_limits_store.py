"""Limits are kept per machine, device and threads, in one step, and nothing on the disk can stop a lesson."""

import json
import warnings

import pytest
from made_up_limits import PEAKS

from course_utils.limits import known, store


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(store, "_in_memory", {})
    return tmp_path


def test_nothing_is_known_before_a_measurement():
    assert known() is None


def test_what_is_kept_is_known_again_for_its_device_and_threads_only():
    store.keep(PEAKS)
    assert known("cpu", 1) == PEAKS
    assert known("cpu", 2) is None
    assert known("cuda:0", 1) is None


def test_a_rewrite_leaves_one_whole_file(home):
    store.keep(PEAKS)
    store.keep(PEAKS)
    (file,) = (home / "limits").iterdir()
    assert json.loads(file.read_text())["launch_s"] == PEAKS.launch_s


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"ladder": 3}'])
def test_a_damaged_file_is_named_and_skipped(home, damage):
    store.keep(PEAKS)
    (file,) = (home / "limits").iterdir()
    file.write_text(damage)
    with pytest.warns(store.LimitsWarning, match=file.name):
        assert known() is None


def test_where_the_disk_refuses_limits_last_as_long_as_the_process(home):
    (home / "limits").write_text("a file where the folder should be")
    with pytest.warns(store.LimitsWarning, match="could not be kept"):
        store.keep(PEAKS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert known() == PEAKS
