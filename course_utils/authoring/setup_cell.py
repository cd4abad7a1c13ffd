"""The one set-up cell that every notebook begins with, word for word the same.

It does nothing where the course is installed. On Colab it installs the course and leaves Colab's torch and TensorFlow
alone, because the package depends on neither. It installs nothing while the course has no public address.
"""

from __future__ import annotations

from nbformat import NotebookNode

ID = "setup"

_SOURCE = """\
# Set-up: installs the course on Colab; does nothing where it is installed.
import importlib.util
import os
import subprocess
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow speaks up for errors only
if importlib.util.find_spec("course_utils") is None:
    course = "{address}"

    class CourseMissing(Exception):  # no ImportError: Colab would add its own advice to one
        def _render_traceback_(self):
            return [str(self)]  # the sentence, without a stack of frames

    if "google.colab" not in sys.modules or "_owner_" in course:
        raise CourseMissing("This kernel lacks the course: get its folder, run `make lab` there, and open the lesson.")
    install = [sys.executable, "-m", "pip", "install", "--quiet", f"git+{{course}}"]
    if subprocess.run(install, capture_output=True).returncode != 0:
        raise CourseMissing(f"The course could not be fetched from {{course}}: run this cell again in a minute.")
"""


def source(address: str) -> str:
    """The cell's text for a course published at ``address``."""
    return _SOURCE.format(address=address).rstrip("\n")


def put(notebook: NotebookNode, address: str) -> None:
    """Give the notebook's set-up cell its text, folded; a notebook without one stays as it is."""
    for cell in notebook.cells:
        if cell.get("id") == ID:
            cell.source = source(address)
            # It is the longest cell on the first screen, and a learner need not read it.
            cell.metadata["jupyter"] = {"source_hidden": True}
