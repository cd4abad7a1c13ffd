"""The examples in the package's docstrings give the results that they show."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WITH_EXAMPLES = [
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for path in sorted((ROOT / "course_utils").rglob("*.py"))
    if ">>>" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_give_the_results_that_they_show(module):
    pytest.importorskip("torch")  # Some examples use it; none uses TensorFlow.
    assert doctest.testmod(importlib.import_module(module)).failed == 0, "the output above shows the difference"
