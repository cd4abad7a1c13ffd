"""The report of `unloop doctor` for bug reports and before workshops: the machine, the versions, what does not work.

It repairs nothing, opens no connection and measures nothing.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from course_utils import frameworks, limits
from course_utils.core.files import data_folder
from course_utils.core.plain_data import from_data, to_data
from course_utils.core.processes import ChildProcess, ChildProcessFailed
from course_utils.frameworks import NAMES, by_name, devices, hardware, triton_internals
from course_utils.frameworks.instruction_sets import instruction_sets
from course_utils.sandbox.load_triton import missing_sentence

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_LIBRARIES = ("numpy", "matplotlib", "ipywidgets", "jupyterlab", "notebook", "nbgrader", "nbval")
_CHILD_SCRIPT = """
import importlib, sys
from course_utils.core.processes import start_answering
answer = start_answering()
importlib.import_module(sys.argv[1])
from course_utils.core.plain_data import to_data
from course_utils.doctor import framework_status
answer(to_data(framework_status(sys.argv[1])))
"""


@dataclass(frozen=True)
class FrameworkStatus:
    """A framework's version and devices on this machine.

    Attributes:
        version: None if the framework is not installed.
        devices: (name, description) of each device that works.
        broken_devices: (name, reason, remedy) of each device that the framework lists but cannot use.
        error: why the framework cannot be imported, "" if it can.
    """

    name: str
    version: str | None
    devices: tuple[tuple[str, str], ...] = ()
    broken_devices: tuple[tuple[str, str, str], ...] = ()
    error: str = ""


@dataclass(frozen=True)
class Problem:
    """Something that does not work on this machine.

    Attributes:
        sentence: what does not work, why, and the remedy.
        blocks_learning: whether the lessons cannot run because of it.
        is_note: whether a learner can ignore it.
    """

    sentence: str
    blocks_learning: bool = False
    is_note: bool = False


@dataclass(frozen=True)
class Report:
    """The content of `unloop doctor`.

    Attributes:
        course: the version of the course.
        machine: the processor and the number of usable cores.
        instruction_sets: name → whether the processor has it; empty if the operating system doesn't list them.
        libraries: name → version, None if the library is not installed.
        peaks: device → its limits, None if they are not measured yet.
    """

    course: str
    python: str
    system: str
    machine: str
    instruction_sets: dict[str, bool]
    frameworks: tuple[FrameworkStatus, ...]
    libraries: dict[str, str | None]
    peaks: dict[str, limits.Peaks | None]
    problems: tuple[Problem, ...]

    @property
    def can_learn(self) -> bool:
        """Return whether the lessons can run."""
        return not any(problem.blocks_learning for problem in self.problems)

    def to_json(self) -> str:
        """Return the report as a JSON object."""
        return json.dumps(to_data(self) | {"can_learn": self.can_learn}, indent=1)


def examine() -> Report:
    """Return the report on this machine; it takes some seconds for each framework that this process has not imported."""
    with ThreadPoolExecutor() as pool:  # Each framework starts in a process of its own, so they can start together.
        frameworks = tuple(pool.map(_examine_framework, NAMES))
    device_names = dict.fromkeys(["cpu", *(name for each in frameworks for name, _ in each.devices)])
    libraries = {name: _version(name) for name in _LIBRARIES}
    return Report(
        course=importlib.metadata.version("unloop"),
        python=platform.python_version(),
        system=platform.platform(),
        machine=devices.describe(),
        instruction_sets=instruction_sets(),
        frameworks=frameworks,
        libraries=libraries,
        peaks={name: limits.load_peaks(name) for name in device_names},
        problems=tuple(_problems(frameworks, libraries)),
    )


def browser_path() -> str | None:
    """Return the path of a Chromium for the browser tests, or None."""
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


def framework_status(name: str) -> FrameworkStatus:
    """Return the status of a framework that this process has imported."""
    usable = tuple((device, devices.describe(device)) for device in devices.available(name))
    broken = tuple((device, problem.reason, problem.remedy) for device, problem in devices.broken().items())
    return FrameworkStatus(name, frameworks.installed_versions()[name], usable, broken)


def _examine_framework(name: str) -> FrameworkStatus:
    """Return the status of a framework; it is imported in another process, since an import can crash."""
    version = frameworks.installed_versions().get(name)
    if version is None:
        return FrameworkStatus(name, None)
    if by_name(name).is_loaded():
        return framework_status(name)
    with ChildProcess(["-c", _CHILD_SCRIPT, name]) as child:
        try:
            (status,) = child.answers()
        except ChildProcessFailed as failure:
            error = failure.last_line or f"its process ended with exit code {failure.exit_code}"
            return FrameworkStatus(name, version, error=error)
    return from_data(FrameworkStatus, status)


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _problems(frameworks: tuple[FrameworkStatus, ...], libraries: dict[str, str | None]) -> Iterator[Problem]:
    usable = [each for each in frameworks if each.version and not each.error]
    for each in frameworks:
        if each.error:
            yield Problem(f"{each.name} {each.version} cannot be imported: {each.error}", blocks_learning=not usable)
        elif each.version is None:
            lessons = f"the {by_name(each.name).title} lessons will not run"
            remedy = f"`pip install {each.name}` installs it"
            yield Problem(f"{each.name} is not installed, so {lessons}; {remedy}.", blocks_learning=not usable)
    for each in usable:
        if missing := by_name(each.name).compiler.missing_program():
            yield Problem(missing)
        for device, reason, remedy in each.broken_devices:
            yield Problem(
                f"{each.name} lists {device}, which does not work ({reason}), so its races show recordings; {remedy}."
            )
    if not any(each.broken_devices or name != "cpu" for each in usable for name, _ in each.devices):
        sentence = "This machine has no GPU, so GPU races show recordings from other machines, if there are any."
        if hardware.nvidia_driver_version():
            sentence = "PyTorch doesn't use this machine's NVIDIA GPU; install PyTorch with CUDA for its races."
        yield Problem(sentence, is_note=True)
    if usable and not triton_internals.is_usable():
        yield Problem(missing_sentence(), is_note=True)
    for name in ("jupyterlab", "ipywidgets", "matplotlib"):
        has_other_page = name == "jupyterlab" and (libraries["notebook"] is not None or "google.colab" in sys.modules)
        if libraries[name] is None and not has_other_page:
            remedy = '`pip install -e ".[lab]"` installs it'
            yield Problem(f"{name} is not installed; {remedy}.", blocks_learning=True)
    if hardware.core_count() < 2:
        yield Problem("The course may use only one core, so other programs disturb the races; close what you can.")
    home = data_folder()
    if not _is_writable(home):
        yield Problem(
            f"{home} cannot be written to, so progress is lost when the kernel ends; "
            "set UNLOOP_HOME to a writable folder."
        )
    if libraries["nbval"] is not None and browser_path() is None:
        sentence = "Chromium is not installed, so the browser tests are skipped; install the package chromium."
        yield Problem(sentence, is_note=True)
    if any("_owner_" in url for url in importlib.metadata.metadata("unloop").get_all("Project-URL") or ()):
        yield Problem(
            "The course has no public address yet, so badges and Colab do not work; set it in pyproject.toml.",
            is_note=True,
        )


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            return True
    except OSError:
        return False
