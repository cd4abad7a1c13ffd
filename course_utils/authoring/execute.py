"""Execution of notebooks in a fresh kernel; they are saved with their outputs in canonical form.

Outputs are not checked here; nbval does that.
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
from course_utils.authoring import canonical_form
from course_utils.authoring.stored_pictures import compress_pictures
from course_utils.core.errors import CourseError
from course_utils.limits import saved_peaks
from course_utils.races import triton_kernel_run

_CELL_TIMEOUT_S = 120


class NotebookFailed(CourseError):
    """A notebook did not run to its end; its file has not changed."""


def run(paths: Iterable[Path]) -> None:
    """Execute each notebook in place, from its own folder, in the kernel ``python3`` of this environment.

    The kernel's data folder has this machine's limits, which are measured first if they are unknown, and no progress,
    so each notebook is stored as a newcomer sees it.

    Raises:
        NotebookFailed: if a cell raises (and is not tagged ``raises-exception``) or takes longer than two minutes.
    """
    if limits.load_peaks() is None:
        limits.measure_peaks()
    for path in paths:
        with tempfile.TemporaryDirectory() as home:
            shutil.copytree(saved_peaks.peaks_folder(), Path(home) / "limits")
            _run(
                path,
                os.environ
                | {"UNLOOP_HOME": home, triton_kernel_run.RECORDING_VARIABLE: str(triton_kernel_run.RECORDED)},
            )


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
        raise NotebookFailed(f"{path.name} stopped at {reason!r}; fix that cell and run the notebook again.") from error
    except CellTimeoutError as error:
        raise NotebookFailed(
            f"A cell of {path.name} takes longer than {_CELL_TIMEOUT_S} s; make it shorter."
        ) from error
    compress_pictures(notebook)
    path.write_text(canonical_form.text(notebook), encoding="utf-8")
