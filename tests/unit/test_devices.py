"""Which devices there are, without importing a framework."""

import re
import subprocess
import sys
import warnings

import pytest
from packaging.version import Version

from course_utils import frameworks
from course_utils.core.errors import CourseError, CourseWarning, format_course_warnings
from course_utils.frameworks import across_frameworks, devices, hardware

torch = pytest.importorskip("torch")


@pytest.mark.slow
def test_questions_about_devices_import_no_framework():
    code = (
        "import sys; from course_utils import frameworks; from course_utils.frameworks import devices, across_frameworks; "
        "frameworks.installed_versions(); devices.available(); devices.describe(); across_frameworks.synchronize(); "
        "across_frameworks.seed(1); print(sorted({'torch', 'tensorflow'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_installed_framework_has_its_version():
    # One of the two versions may have a local part, as in 2.9.1+cu128.
    assert Version(frameworks.installed_versions()["torch"]).public == Version(torch.__version__).public
    if "tensorflow" in frameworks.installed_versions():
        assert frameworks.installed_versions()["tensorflow"].startswith("2.")


def test_missing_device_error_lists_the_available_ones():
    assert devices.require("cpu") == "cpu"
    assert devices.require(torch.device("cpu")) == "cpu"
    with pytest.raises(devices.DeviceMissing, match=r"no device 'tpu:0' on this machine; choose one of: cpu"):
        devices.require("tpu:0")


def test_threads_are_set_and_restored():
    before = torch.get_num_threads()
    with across_frameworks.threads(1) as in_force:
        assert torch.get_num_threads() == 1
        assert in_force == 1 or "tensorflow" in sys.modules  # once started, TensorFlow keeps its number
    assert torch.get_num_threads() == before


def test_machine_has_a_name_and_a_file_name():
    assert re.fullmatch(r".+, \d+ cores?(, AVX2|, AVX-512)?", devices.describe())
    assert devices.machine_id().replace("-", "").isalnum()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lists a processor's instructions")
def test_vector_instructions_are_those_that_torch_uses():
    widest = {"AVX512": "AVX-512", "AVX2": "AVX2"}.get(torch.backends.cpu.get_cpu_capability(), "")
    assert hardware.vector_instructions() == widest


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
def test_out_of_memory_is_recognized(error, is_memory):
    assert across_frameworks.is_out_of_memory(error) is is_memory


def test_seeding_repeats_random_numbers():
    across_frameworks.seed(3)
    first = torch.rand(3)
    across_frameworks.seed(3)
    assert torch.equal(first, torch.rand(3))


def test_course_error_is_shown_as_one_sentence():
    assert CourseError("Say what to do.")._render_traceback_() == ["CourseError: Say what to do."]
    (long,) = CourseError("Say what to do. " * 9)._render_traceback_()
    assert max(map(len, long.splitlines())) <= 100 and "do. Say" in long.replace("\n", " ")


def test_only_course_warnings_are_shown_as_a_sentence(monkeypatch):
    monkeypatch.setattr(warnings, "formatwarning", before := warnings.formatwarning)
    format_course_warnings()
    assert warnings.formatwarning("Mind this.", CourseWarning, "cell.py", 3, "code") == "Mind this.\n"
    theirs = ("Old.", DeprecationWarning, "cell.py", 3, "code")
    assert warnings.formatwarning(*theirs) == before(*theirs)
