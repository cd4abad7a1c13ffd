"""``%%explain`` in a notebook's shell, in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


CELL = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
import torch
from sample_limits import PEAKS
from course_utils import limits
limits.load_peaks = lambda device, threads: PEAKS
shell.user_ns["torch"] = torch
shell.user_ns["x"] = x = torch.ones(10_000)
explanation = shell.run_cell_magic("explain", "", "y = (x + 1).exp()\\nx = y * 2\\ntotal = x.sum().item()\\n")
assert [line.number for line in explanation.lines if line.number] == [2, 3, 4], explanation
assert [line.source for line in explanation.lines][:2] == ["y = (x + 1).exp()", "x = y * 2"], explanation
assert shell.user_ns["x"] is x, "the cell's variables are what they were"
try:
    shell.run_cell_magic("explain", "", "torch.ones(2) @ torch.ones(3)")
except RuntimeError as error:
    import sys, traceback
    frames = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    # On Python 3.10 a bare `raise` restores the frame of the function that raises.
    assert len([name for name in frames if "course_utils" in name]) == (sys.version_info < (3, 11)), frames
else:
    raise AssertionError("the cell's error was swallowed")
"""


@pytest.mark.slow
def test_a_cell_is_explained_by_its_own_lines():
    done = subprocess.run(
        [sys.executable, "-c", CELL], check=False, capture_output=True, text=True, timeout=240, cwd=HERE
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
