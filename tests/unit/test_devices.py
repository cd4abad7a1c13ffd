"""Devices and frameworks are told apart without importing anything."""

import subprocess
import sys
import warnings

import pytest

from course_utils.core.errors import CourseError, CourseWarning, format_course_warnings
from course_utils.frameworks import devices

torch = pytest.importorskip("torch")


@pytest.mark.process
def test_nothing_is_imported_to_answer():
    code = (
        "import sys; from course_utils.frameworks import devices as d; d.installed(); d.available(); d.describe(); "
        "d.synchronize(); d.seed(1); print(sorted({'torch', 'tensorflow'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_installed_frameworks_have_versions():
    assert devices.installed()["torch"] == torch.__version__
    if "tensorflow" in devices.installed():
        assert devices.installed()["tensorflow"].startswith("2.")


def test_a_device_that_is_not_there_is_named_with_those_that_are():
    assert devices.require("cpu") == "cpu"
    assert devices.require(torch.device("cpu")) == "cpu"
    with pytest.raises(devices.DeviceMissing, match=r"no device 'tpu:0' on this machine; choose one of: cpu"):
        devices.require("tpu:0")


def test_threads_are_set_and_put_back():
    before = torch.get_num_threads()
    with devices.threads(1) as in_force:
        assert in_force == torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


def test_a_machine_has_a_name_and_a_file_name():
    assert devices.describe().endswith(("core", "cores"))
    assert devices.machine_id().replace("-", "").isalnum()


@pytest.mark.parametrize(
    ("error", "is_memory"),
    [
        (MemoryError(), True),
        (torch.OutOfMemoryError("CUDA out of memory"), True),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 99 bytes."), True),
        (RuntimeError("shapes do not match"), False),
        (ValueError("out of memory"), False),
    ],
)
def test_memory_that_ran_out_is_recognized(error, is_memory):
    assert devices.out_of_memory(error) is is_memory


def test_seeding_repeats_random_numbers():
    devices.seed(3)
    first = torch.rand(3)
    devices.seed(3)
    assert torch.equal(first, torch.rand(3))


def test_a_course_error_shows_as_one_sentence():
    assert CourseError("Say what to do.")._render_traceback_() == ["CourseError: Say what to do."]


def test_a_warning_of_the_course_is_its_sentence_and_others_stay_as_they_are(monkeypatch):
    monkeypatch.setattr(warnings, "formatwarning", before := warnings.formatwarning)
    format_course_warnings()
    assert warnings.formatwarning("Mind this.", CourseWarning, "cell.py", 3, "code") == "Mind this.\n"
    theirs = ("Old.", DeprecationWarning, "cell.py", 3, "code")
    assert warnings.formatwarning(*theirs) == before(*theirs)
