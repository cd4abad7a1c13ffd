"""The setup cell, which is the same in every notebook.

If the course is installed, the cell only sets a log level. On Colab it installs the course and keeps Colab's torch and
TensorFlow, because the package depends on neither. While the course has no public address, the cell installs nothing.
"""

from __future__ import annotations

from nbformat import NotebookNode

CELL = "setup"
"""The id of the setup cell."""

_SOURCE = """\
# Setup: this cell installs the course on Colab if it is missing.
import importlib.util
import os
import subprocess
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow logs fewer messages
if importlib.util.find_spec("course_utils") is None:
    course = "{address}"

    class CourseMissing(Exception):  # not an ImportError, to which Colab adds its own advice
        def _render_traceback_(self):
            return [str(self)]  # without a traceback

    if "google.colab" not in sys.modules or "_owner_" in course:
        raise CourseMissing("The course is not installed: clone it, follow its README, and open the lesson.")
    install = [sys.executable, "-m", "pip", "install", "--quiet", f"git+{{course}}"]
    if subprocess.run(install, capture_output=True).returncode != 0:
        raise CourseMissing(f"Installing the course from {{course}} failed. Run this cell again in a minute.")
"""


def source(address: str) -> str:
    """Return the cell's source for a course that is published at ``address``."""
    return _SOURCE.format(address=address).rstrip("\n")


def update(notebook: NotebookNode, address: str) -> None:
    """Write the source into the notebook's setup cell and fold it; a notebook without one stays as it is."""
    for cell in notebook.cells:
        if cell.get("id") == CELL:
            cell.source = source(address)
            # It is the longest cell on the first screen, and a learner does not need to read it.
            cell.metadata["jupyter"] = {"source_hidden": True}
