"""`explain` looks into models that others wrote: their package counts as one's own code, and their submodules form a
tree.
"""

import contextlib
import importlib
import sys
from types import ModuleType

import pytest
import torch
from load_tolerance import in_one_of_three_attempts
from sample_limits import PEAKS

from course_utils import explain, limits
from course_utils.counting import code_owners
from course_utils.explaining import ExplainError, profiler
from course_utils.ui import explanation_view

BLOCKS = """
from torch import nn
from smallops import scaled

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        mixed = self.mix(self.norm(x))
        return x + scaled(mixed)

class Stack(nn.Module):
    def __init__(self, width=128, depth=3):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)
"""
IMAGES = """
from torch import nn

class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 5)
        self.body = nn.Sequential(nn.ReLU(), nn.Conv2d(16, 32, 3), nn.ReLU())

    def forward(self, x):
        x = self.stem(x)
        x = self.body(x)
        return x.mean((2, 3))
"""
SMALLOPS = """
def scaled(x):
    doubled = x * 2
    return doubled / 4
"""
FILES = {
    "smallnets/__init__.py": "",
    "smallnets/blocks.py": BLOCKS,
    "smallnets/images.py": IMAGES,
    "smallops.py": SMALLOPS,
}


@pytest.fixture
def installed_packages(tmp_path, monkeypatch):
    """Return two packages in a folder of installed packages."""
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.2)
    for name, source in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    (tmp_path / "smallnets-1.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("smallnets.blocks"), importlib.import_module("smallnets.images")
    for name in [name for name in sys.modules if name.startswith(("smallnets", "smallops"))]:
        del sys.modules[name]


def sources(explanation):
    return [line.source for line in explanation.lines if line.number]


@pytest.mark.slow
def test_an_installed_models_lines_show(installed_packages):
    blocks, images = installed_packages
    assert code_owners.library_root(blocks.__file__) is not None
    explanation = explain(blocks.Stack(), torch.randn(64, 128))
    assert [heading for heading, _ in explanation.groups()][:2] == ["Block.forward", "Stack.forward"]
    assert "mixed = self.mix(self.norm(x))" in sources(explanation)
    assert "doubled = x * 2" not in sources(explanation), "another package is a library"
    assert sources(explain(images.Tiny(), torch.randn(2, 3, 32, 32))) == [
        "x = self.stem(x)",
        "x = self.body(x)",
        "return x.mean((2, 3))",
    ]


@pytest.mark.slow
def test_within_names_another_package(installed_packages):
    blocks, _ = installed_packages
    assert "doubled = x * 2" in sources(explain(blocks.Stack(), torch.randn(64, 128), within="smallops"))

    def step(model, x):
        return model(x).sum()

    model, x = blocks.Stack(), torch.randn(64, 128)
    assert sources(explain(step, model, x)) == ["return model(x).sum()"]
    smallnets = importlib.import_module("smallnets")
    assert "x = block(x)" in sources(explain(step, model, x, within=(smallnets, "smallops")))


KERAS_LAYERS = ModuleType("keras.layers")
KERAS_LAYERS.__file__ = "layers.py"


@pytest.mark.parametrize(
    ("within", "message"),
    [
        ("smallnet", "cannot be imported"),
        (3, "must be a package"),
        (torch, "a framework; profile it with `torch.profiler`"),
        (KERAS_LAYERS, "a framework; profile it with `tf.profiler`"),  # whatever other framework is loaded
    ],
)
def test_within_names_a_package_and_no_framework(installed_packages, within, message):
    with pytest.raises(ExplainError, match=message):
        explain(torch.relu, torch.ones(3), within=within)


@in_one_of_three_attempts
def test_a_model_is_a_tree_of_named_submodules(installed_packages):
    blocks, _ = installed_packages
    explanation = explain(blocks.Stack(), torch.randn(256, 128))
    modules = {module.name: module for module in explanation.modules}
    assert list(modules)[:3] == ["Stack", "blocks.0", "blocks.0.norm"]
    assert (modules["blocks.1.mix.2"].kind, modules["blocks.1.mix.2"].depth) == ("Linear", 3)
    assert modules["blocks.0"].runs == modules["head"].runs == 1
    whole, inner = modules["Stack"].seconds, [modules[f"blocks.{index}"].seconds for index in range(3)]
    assert 0 < sum(inner) <= 1.2 * whole
    assert modules["blocks.0.mix"].floor_s > 2 * 256 * 128 * 4 * 128 * 2 / PEAKS.matmul["float32"] / 2
    assert "blocks.1 (Block)" in str(explanation)
    assert "<code>blocks.1</code>" in explanation_view.explanation_html(explanation)


@pytest.mark.slow
def test_a_line_that_runs_a_sequential_names_its_children(installed_packages):
    _, images = installed_packages
    explanation = explain(images.Tiny(), torch.randn(8, 3, 32, 32))
    (body,) = (line for line in explanation.lines if "self.body" in line.source)
    assert {"body.1 (Conv2d)"} <= {part.name for part in body.parts}
    assert sum(part.seconds for part in body.parts) == pytest.approx(body.seconds)
    (module,) = (module for module in explanation.modules if module.name == "body")
    assert (module.reason, module.finding) == (body.reason, body.finding), "the same operations have the same reason"
    assert not body.is_compiled


@pytest.mark.slow
def test_many_modules_on_one_line_show_by_class(installed_packages):
    blocks, _ = installed_packages

    def step(model, x):
        return model(x).sum()

    (line,) = (line for line in explain(step, blocks.Stack(), torch.randn(256, 128)).lines if line.number)
    calls = {part.name: part.calls for part in line.parts}
    assert calls["Linear"] == 7 and calls.keys() <= {"Linear", "GELU", "LayerNorm", "other work"}


@pytest.mark.slow
def test_modules_that_take_next_to_nothing_have_no_row(installed_packages):
    blocks, _ = installed_packages
    explanation = explain(blocks.Stack(), torch.randn(256, 128))
    parts = {part.name: part for line in explanation.lines for part in line.parts}
    assert parts and all(part.seconds > 0 for part in parts.values())
    parts.pop("other work", None)
    assert min(part.seconds for part in parts.values()) >= 0.01 * explanation.measured_s


@pytest.mark.slow
def test_a_compiled_model_keeps_its_name(installed_packages):
    blocks, _ = installed_packages
    explanation = explain(torch.compile(blocks.Stack(), backend="eager"), torch.randn(8, 128))
    assert explanation.name == "Stack"
    assert explanation.headline().startswith("The compiled call takes")


def test_framework_is_a_library_in_any_folder(tmp_path, monkeypatch):
    package = tmp_path / "torch"
    package.mkdir()
    monkeypatch.setattr(torch, "__file__", str(package / "__init__.py"))
    assert code_owners.is_framework_file(str(package / "nn" / "modules" / "linear.py"))
    assert code_owners.is_framework_dependency("/anywhere/sympy")
    assert not code_owners.is_framework_dependency("/anywhere/smallnets")


def test_functions_of_python_itself_work_for_whoever_calls_them():
    files = [contextlib.__file__, "<frozen abc>", pytest.__file__, __file__]
    assert [code_owners.belongs_to_caller(file) for file in files] == [True, True, False, False]
