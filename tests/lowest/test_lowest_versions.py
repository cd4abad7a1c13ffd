"""With the lowest version of each dependency, some lessons run to their end and show no log message. See
``make lowest-test``.
"""

import importlib.metadata
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ["00_start_here", "09_scans", "11_tensorflow_loops", "12_compilers", "12b_compilers_tensorflow"]
EXTRAS = ("", "torch", "tensorflow", "lab", "dev")
CELL_TIMEOUT_S = 240
# torch 2.7 prints this message if the machine has a CUDA toolkit and no card, and no option prevents it.
TOOLKIT_WITHOUT_CARD = "No CUDA runtime is found, using CUDA_HOME="
# Jupyter packages that pyproject.toml does not name are current, and some of them require newer versions of these.
NEWER = {"ipython", "jupyterlab", "playwright"}


def lower_bounds():
    """Yield name and lowest version of each dependency of this environment that pyproject.toml names."""
    for text in importlib.metadata.requires("unloop"):
        requirement = Requirement(text)
        applies = requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in EXTRAS)
        bounds = [each.version for each in requirement.specifier if each.operator == ">="]
        if applies and bounds:
            yield requirement.name, Version(bounds[0])


def test_environment_has_the_lowest_versions():
    bounds = dict(lower_bounds())
    assert {"torch", "numpy", "pytest"} <= bounds.keys()
    installed = {name: Version(importlib.metadata.version(name)) for name in bounds}
    # A bound such as >=7.7 means 7.7.0, or the first release of 7.7.
    too_new = {
        name: str(installed[name]) for name in bounds if installed[name].release[:2] != (*bounds[name].release, 0)[:2]
    }
    assert too_new.keys() <= NEWER, too_new


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", LESSONS)
def test_lesson_runs_and_shows_no_log_message(name, tmp_path):
    path = ROOT / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=CELL_TIMEOUT_S, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute(env=os.environ | {"UNLOOP_HOME": str(tmp_path)})
    messages = [
        (cell.get("id"), output.text)
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output.get("name") == "stderr" and not output.text.startswith(TOOLKIT_WITHOUT_CARD)
    ]
    assert not messages
