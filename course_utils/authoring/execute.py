"""Runs notebooks in a fresh kernel and saves them, outputs and all, in canonical form.

It judges nothing: what a notebook must print is nbval's to say.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError

from course_utils import limits
from course_utils.authoring import canonical
from course_utils.core.errors import CourseError
from course_utils.limits import saved_peaks

_CELL_TIMEOUT_S = 120


class NotebookFailed(CourseError):
    """A notebook did not run to its end; its file is as it was."""


def run(paths: Iterable[Path]) -> None:
    """Execute each notebook in place, from its own folder, in the kernel ``python3`` of this environment.

    The notebook meets this machine's limits, measured here where they are not known yet, and nobody's progress: it is
    stored as a newcomer sees it.

    Raises:
        NotebookFailed: when a cell raises (and is not tagged ``raises-exception``) or takes longer than two minutes.
    """
    if limits.known() is None:
        limits.measure()
    for path in paths:
        with tempfile.TemporaryDirectory() as home:
            shutil.copytree(saved_peaks.folder(), Path(home) / "limits")
            _run(path, os.environ | {"UNLOOP_HOME": home})


def _run(path: Path, environment: dict[str, str]) -> None:
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=_CELL_TIMEOUT_S,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(path.resolve().parent)}},
    )
    try:
        client.execute(env=environment)
    except CellExecutionError as error:
        reason = f"{error.ename}: {error.evalue}"
        raise NotebookFailed(f"{path.name} stopped at {reason!r}; mend that cell and run it again.") from error
    except CellTimeoutError as error:
        raise NotebookFailed(f"{path.name} has a cell that takes over {_CELL_TIMEOUT_S} s; shorten it.") from error
    path.write_text(canonical.text(notebook), encoding="utf-8")
