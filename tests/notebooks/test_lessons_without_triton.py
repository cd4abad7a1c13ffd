"""A lesson shows the same without Triton as its stored page shows with Triton."""

import ast
import json
from pathlib import Path

import nbformat
import pytest

from course_utils.races.triton_kernel_run import RECORDED, KernelRun

ROOT = Path(__file__).resolve().parents[2]
LESSONS = [path for path in sorted((ROOT / "notebooks").glob("*.ipynb")) if "run_kernel(" in path.read_text("utf-8")]


def runs(path):
    """Yield the cells that run kernels, each with the constant ids in it."""
    for cell in nbformat.read(path, as_version=4).cells:
        calls = ast.walk(ast.parse(cell.source)) if cell.cell_type == "code" else ()
        ids = [
            node.args[0]
            for node in calls
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "run_kernel"
        ]
        if ids:
            yield cell, [each.value for each in ids if isinstance(each, ast.Constant)]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_recording_is_what_the_page_shows(path):
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    for cell, ids in runs(path):
        shown = "".join(
            output.get("text", "") + output.get("data", {}).get("text/plain", "") for output in cell.outputs
        )
        for id in ids:
            assert repr(KernelRun(**recorded[id])) in shown, f"store {path.name} again with `unloop author run`"


def test_each_lesson_with_kernels_is_found():
    assert [path.stem for path in LESSONS] == ["15_kernels_and_pools"]
