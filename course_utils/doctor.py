"""What a person needs for a bug report, or before a workshop: what is here, and what will not work and why.

It looks and says; it repairs nothing, opens no connection, and measures nothing.
"""

from __future__ import annotations

import dataclasses
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

from course_utils import limits
from course_utils.core.files import data_folder
from course_utils.core.processes import ChildProcess, ChildProcessFailed
from course_utils.frameworks import NAMES, devices, named

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_LIBRARIES = ("numpy", "matplotlib", "ipywidgets", "jupyterlab", "notebook", "nbgrader", "nbval")
_LOOK = """
import importlib, sys
from course_utils.core.processes import start_answering
answer = start_answering()
importlib.import_module(sys.argv[1])
from course_utils.doctor import looked
answer(looked(sys.argv[1]))
"""


@dataclass(frozen=True)
class Framework:
    """A framework as it was found.

    Attributes:
        devices: (name, description) of each that works.
        refused: (name, reason, remedy) of each that it counts and that does not work.
        error: why the framework cannot be used, "" where it can.
    """

    name: str
    version: str | None
    devices: tuple[tuple[str, str], ...] = ()
    refused: tuple[tuple[str, str, str], ...] = ()
    error: str = ""


@dataclass(frozen=True)
class Problem:
    """Something that will not work here, why, and the remedy, in a sentence; ``hinders`` learning or is only of note."""

    sentence: str
    hinders: bool


@dataclass(frozen=True)
class Report:
    """Everything that ``unloop doctor`` tells.

    Attributes:
        machine: the processor and the cores that may be used.
        libraries: name → version, None where it is missing.
        peaks: device → the limits that are kept, None where they have not been measured.
    """

    course: str
    python: str
    system: str
    machine: str
    frameworks: tuple[Framework, ...]
    libraries: dict[str, str | None]
    peaks: dict[str, limits.Peaks | None]
    problems: tuple[Problem, ...]

    @property
    def can_learn(self) -> bool:
        """Whether nothing that the course needs is missing."""
        return not any(problem.hinders for problem in self.problems)

    def to_json(self) -> str:
        """The report as a JSON object."""
        return json.dumps(dataclasses.asdict(self) | {"can_learn": self.can_learn}, indent=1)


def examine() -> Report:
    """Look at this machine; takes as long as the frameworks take to start that are not loaded here."""
    with ThreadPoolExecutor() as pool:  # each starts in seconds, in a process of its own
        frameworks = tuple(pool.map(_framework, NAMES))
    names = dict.fromkeys(["cpu", *(name for each in frameworks for name, _ in each.devices)])
    libraries = {name: _version(name) for name in _LIBRARIES}
    return Report(
        course=importlib.metadata.version("unloop"),
        python=platform.python_version(),
        system=platform.platform(),
        machine=devices.describe(),
        frameworks=frameworks,
        libraries=libraries,
        peaks={name: limits.load_peaks(name) for name in names},
        problems=tuple(_problems(frameworks, libraries)),
    )


def browser() -> str | None:
    """The path of a Chromium for the browser tests, None where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def looked(name: str) -> tuple[list[tuple[str, str]], list[tuple[str, str, str]]]:
    """``Framework.devices`` and ``Framework.refused`` of a framework that this process has loaded."""
    found = [(device, devices.describe(device)) for device in devices.available(name)]
    return found, [(device, why.reason, why.remedy) for device, why in devices.refused().items()]


def _framework(name: str) -> Framework:
    """Look here where the framework is loaded; else start it in a process of its own: one that crashes takes nothing with it."""
    version = devices.installed().get(name)
    if version is None:
        return Framework(name, None)
    if named(name).is_loaded():
        found, refused = looked(name)
    else:
        with ChildProcess(["-c", _LOOK, name]) as child:
            try:
                ((found, refused),) = child.answers()
            except ChildProcessFailed as failed:
                return Framework(name, version, error=failed.last_line or f"its process ended with {failed.exit_code}")
    return Framework(
        name,
        version,
        devices=tuple((device, described) for device, described in found),
        refused=tuple((device, reason, remedy) for device, reason, remedy in refused),
    )


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _problems(frameworks: tuple[Framework, ...], libraries: dict[str, str | None]) -> Iterator[Problem]:
    usable = [each for each in frameworks if each.version and not each.error]
    for each in frameworks:
        if each.error:
            yield Problem(f"{each.name} {each.version} does not start: {each.error}", hinders=not usable)
        elif each.version is None:
            lessons = f"the {'TensorFlow' if each.name == 'tensorflow' else 'PyTorch'} lessons will not run"
            yield Problem(
                f"{each.name} is not installed, so {lessons}; `pip install {each.name}` brings it.", not usable
            )
    for each in usable:
        for device, reason, remedy in each.refused:
            yield Problem(
                f"{each.name} counts {device}, which does not work ({reason}), so its races show recordings; {remedy}.",
                hinders=False,
            )
    if not any(each.refused or name != "cpu" for each in usable for name, _ in each.devices):
        yield Problem(
            "There is no GPU here, so GPU races show recordings of other machines, where there are any.", False
        )
    for name in ("jupyterlab", "ipywidgets", "matplotlib"):
        has_page = name == "jupyterlab" and (libraries["notebook"] is not None or "google.colab" in sys.modules)
        if libraries[name] is None and not has_page:
            yield Problem(f'{name} is not installed; `pip install -e ".[lab]"` brings it.', hinders=True)
    if devices.cores() < 2:
        yield Problem("Only one core may be used, so other programs will disturb the races; close what you can.", False)
    home = data_folder()
    if not _writable(home):
        yield Problem(
            f"Nothing can be written to {home}, so progress lasts until the kernel ends; "
            "set UNLOOP_HOME to a folder that can be written.",
            hinders=False,
        )
    if libraries["nbval"] is not None and browser() is None:
        yield Problem("There is no Chromium, so the browser tests are skipped; install the package chromium.", False)
    if any("_owner_" in url for url in importlib.metadata.metadata("unloop").get_all("Project-URL") or ()):
        yield Problem(
            "The course has no public address yet, so badges and Colab do not work; set it in pyproject.toml.",
            hinders=False,
        )


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            return True
    except OSError:
        return False
