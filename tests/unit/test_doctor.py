"""`unloop doctor` reports the machine and what will not work, as text and as JSON."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.version import Version

from course_utils import doctor, frameworks
from course_utils.frameworks import devices, triton_internals
from course_utils.frameworks.instruction_sets import instruction_sets

torch = pytest.importorskip("torch")

UNLOOP = [sys.executable, "-c", "from course_utils.cli import main; main()"]


def run(*arguments, **environment):
    return subprocess.run(
        [*UNLOOP, *arguments], capture_output=True, text=True, check=False, env=os.environ | environment, timeout=120
    )


@pytest.fixture(scope="module")
def broken_tensorflow(tmp_path_factory):
    """Return a folder with a TensorFlow that cannot be imported."""
    folder = tmp_path_factory.mktemp("broken")
    (folder / "tensorflow.py").write_text("raise ImportError('libcuda is missing')\n")
    return folder


def before_other_packages(folder):
    """Return the PYTHONPATH with which Python finds a folder's packages first."""
    return os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))


@pytest.mark.slow
def test_report_as_json(tmp_path, broken_tensorflow):
    done = run("doctor", "--json", UNLOOP_HOME=str(tmp_path), PYTHONPATH=before_other_packages(broken_tensorflow))
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert report["can_learn"]
    by_name = {each["name"]: each for each in report["frameworks"]}
    assert Version(by_name["torch"]["version"]).public == Version(torch.__version__).public
    assert ["cpu", report["machine"]] in by_name["torch"]["devices"]
    if "tensorflow" in frameworks.installed_versions():
        assert "libcuda is missing" in by_name["tensorflow"]["error"]
    assert report["peaks"]["cpu"] is None, "no limits are measured in this data folder"
    assert report["instruction_sets"] == instruction_sets()


@pytest.fixture(scope="module")
def troubled_report(broken_tensorflow, tmp_path_factory):
    """Return the report of a machine without a working TensorFlow, GPU driver, compiler and data folder."""
    folder = tmp_path_factory.mktemp("troubled")
    # Python runs this file at its start. In the child process, torch then lists a GPU and refuses to use it.
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "if sys.orig_argv[-1] == 'torch':\n"
        "    import torch\n"
        "    def refuse(*shape, device=None, ones=torch.ones, **rest):\n"
        "        if str(device).startswith('cuda'):\n"
        "            raise RuntimeError('The NVIDIA driver on your system is too old (found version 11040).')\n"
        "        return ones(*shape, **rest)\n"
        "    torch.ones, torch.cuda.device_count = refuse, lambda: 1\n"
    )
    path = os.pathsep.join([str(folder), before_other_packages(broken_tensorflow)])
    blocked = folder / "sitecustomize.py" / "home"
    done = run("doctor", UNLOOP_HOME=str(blocked), PYTHONPATH=path, COLUMNS="400", CXX="no-such-compiler")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_problems_name_reason_and_remedy(troubled_report):
    assert "The course runs here." in troubled_report
    assert "Instructions" in troubled_report and (
        "; missing: " in troubled_report or "unknown, because" in troubled_report
    )
    assert "cannot be written to" in troubled_report
    assert "set UNLOOP_HOME to a writable folder" in troubled_report
    assert "torch.compile needs a C++ compiler and finds none; install" in troubled_report
    if "_owner_" in (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"):
        assert "The course has no public address yet" in troubled_report


@pytest.mark.slow
@pytest.mark.skipif("tensorflow" not in frameworks.installed_versions(), reason="TensorFlow is not installed")
def test_framework_that_cannot_be_imported_is_reported_with_its_error(troubled_report):
    (problem,) = [line for line in troubled_report.splitlines() if "cannot be imported" in line]
    assert "tensorflow" in problem and "libcuda is missing" in problem
    assert not problem.startswith("✗"), "torch still works"


@pytest.mark.slow
def test_broken_gpu_is_named_with_the_reason(troubled_report):
    (problem,) = [line for line in troubled_report.splitlines() if "cuda:0" in line]
    assert "lists cuda:0, which does not work (The NVIDIA driver on your system is too old" in problem
    assert not problem.startswith("✗")


@pytest.mark.parametrize(("page", "can_learn"), [("notebook", True), ("nothing", False)])
def test_notebook_without_jupyterlab_is_enough(monkeypatch, page, can_learn):
    version = doctor._version
    missing = {"jupyterlab", "notebook"} - {page}
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in missing else version(name))
    monkeypatch.setattr(doctor, "_examine_framework", lambda name: doctor.FrameworkStatus(name, "1.0"))
    assert doctor.examine().can_learn == can_learn


def test_missing_triton_is_a_note(monkeypatch):
    monkeypatch.setattr(doctor, "_examine_framework", lambda name: doctor.FrameworkStatus(name, "1.0"))
    monkeypatch.setattr(triton_internals, "version", lambda: None)
    (note,) = [each for each in doctor.examine().problems if "Triton is not installed" in each.sentence]
    assert note.is_note


def test_gpu_that_no_framework_uses_is_not_called_missing(monkeypatch):
    monkeypatch.setattr(doctor, "_examine_framework", lambda name: doctor.FrameworkStatus(name, "1.0"))
    monkeypatch.setattr(doctor.hardware, "nvidia_driver_version", lambda: "570.1")
    assert [each.is_note for each in doctor.examine().problems if "GPU" in each.sentence] == [True]
    assert not any("no GPU" in each.sentence for each in doctor.examine().problems)


def test_imported_framework_is_examined_in_this_process():
    # If the framework were examined in a child process, tests/unit/conftest.py would fail this test.
    status = doctor._examine_framework("torch")
    assert (Version(status.version).public, status.error) == (Version(torch.__version__).public, "")
    assert [name for name, _ in status.devices] == list(devices.available("torch"))
    assert status.devices[0] == ("cpu", devices.describe())


@pytest.mark.slow
def test_unknown_device_is_one_sentence(tmp_path):
    done = run("record", "--device", "tpu:0", "--lesson", "03_", "--framework", "torch", UNLOOP_HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, ""), "no lesson is started"
    assert "tpu:0" in done.stderr
    assert "Traceback" not in done.stderr
