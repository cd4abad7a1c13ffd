"""Private names of torch, TensorFlow and Triton: one module per library, and an error with a remedy if a name is missing."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from course_utils import frameworks
from course_utils.frameworks import private_names, tensorflow_internals, torch_internals, triton_internals
from course_utils.frameworks.private_names import PrivateNameMissing

ROOT = Path(__file__).resolve().parents[2]
INTERNALS = ("torch_internals.py", "tensorflow_internals.py", "triton_internals.py")
FILES = [path for path in sorted((ROOT / "course_utils").rglob("*.py")) if path.name not in INTERNALS]
# A dotted name with a private part, except operations such as torch.ops.aten._to_copy. No part of Triton's interpreter is
# public.
PRIVATE_PATH = re.compile(
    r"\b(torch|tensorflow|keras|triton)(?!\.ops\.)(\.\w+)*\._(?!_)|\btensorflow\.python\b|\bkeras\.src\b|\btriton\.(runtime|knobs)\b"
)
# Private attributes of the frameworks' objects; the course's attributes of the same names are read from ``self``.
ATTRIBUTES = {
    "_buffers", "_cdata", "_dynamo", "_id", "_inductor", "_make_wrapper_subclass", "_modules", "_numpy", "_overloadpacket",
    "_parameters", "_schema", "_should_skip_dynamo",
}  # fmt: skip
# Only source that matches can use a private name, and to parse the other files would take seconds.
SUSPICIOUS = re.compile(rf"\b(torch|tensorflow|keras|triton)\b|{'|'.join(ATTRIBUTES)}")


def dotted_name(node):
    """Return the names of ``torch.a.b``, joined by dots; "" for the attribute of a result, as in ``f().b``."""
    if isinstance(node, ast.Attribute):
        return f"{dotted_name(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def private_names_in(path):
    """Yield the private names of a framework that a file imports, reads, defines or writes in a string."""
    source = path.read_text(encoding="utf-8")
    if not SUSPICIOUS.search(source):
        return
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if PRIVATE_PATH.match(each.name))
        elif isinstance(node, ast.ImportFrom):
            yield from (
                f"{node.module}.{each.name}" for each in node.names if PRIVATE_PATH.match(f"{node.module}.{each.name}")
            )
        elif isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if PRIVATE_PATH.match(dotted_name(node)) or (node.attr in ATTRIBUTES and not is_own):
                yield ast.unparse(node)
        elif isinstance(node, ast.FunctionDef) and node.name == "_should_skip_dynamo":
            yield node.name
        elif isinstance(node, ast.Constant) and id(node) not in docstrings and PRIVATE_PATH.search(str(node.value)):
            yield str(node.value)


@pytest.mark.slow
def test_only_the_internals_use_private_names():
    outside = {str(path.relative_to(ROOT)): names for path in FILES if (names := sorted(set(private_names_in(path))))}
    assert not outside


@pytest.mark.parametrize("source", [
    "import torch._dynamo",
    "from torch.utils._pytree import tree_map",
    "from tensorflow.python.eager import context",
    "state = 'keras.src.backend.common.global_state'",
    "torch._C.DisableTorchFunction()",
    "storage._cdata",
    "from triton.runtime.interpreter import InterpretedFunction",
    "module = 'torch._dynamo.eval_frame'",
])  # fmt: skip
def test_private_name_is_found(source, tmp_path):
    path = tmp_path / "example.py"
    path.write_text(source)
    assert list(private_names_in(path))


def test_every_private_name_of_torch_exists():
    pytest.importorskip("torch")
    for address in torch_internals.ADDRESSES.values():
        assert private_names.resolve(address) is not None


@pytest.mark.slow
def test_every_private_name_of_tensorflow_exists():
    if "tensorflow" not in frameworks.installed_versions():
        pytest.skip("TensorFlow is not installed")
    for address in tensorflow_internals.ADDRESSES.values():
        assert private_names.resolve(address) is not None


def test_every_private_name_of_triton_exists():
    if not triton_internals.is_usable():
        pytest.skip("Triton is not installed, or is older than the course needs")
    for address in triton_internals.ADDRESSES.values():
        assert private_names.resolve(address) is not None


@pytest.mark.parametrize("address", ["torch.utils._gone:mode", "torch._C:_gone.is_functorch"])
def test_missing_name_error_names_version_and_remedy(address):
    torch = pytest.importorskip("torch")
    with pytest.raises(PrivateNameMissing) as raised:
        private_names.resolve(address)
    message = str(raised.value)
    assert message.startswith(f"torch {torch.__version__} has no {address.replace(':', '.')}, ")
    assert message.endswith('python -m pip install "torch<=2.13.0"')


def test_missing_attribute_error_names_the_class():
    pytest.importorskip("torch")
    with pytest.raises(PrivateNameMissing, match=r"has no object\._cdata"):
        private_names.attribute("torch", object(), "_cdata")


def test_newest_tested_versions_are_the_locked_ones():
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    for name, version in private_names.NEWEST_TESTED.items():
        assert re.search(rf"^{name}(-cpu)?=={re.escape(version)}\b", constraints, re.MULTILINE), name


def test_internals_import_no_framework():
    for name in ("torch_internals", "tensorflow_internals", "triton_internals"):
        tree = ast.parse(Path(importlib.import_module(f"course_utils.frameworks.{name}").__file__).read_text())
        imported = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        assert not [
            node for node in imported if ast.unparse(node).split()[1].startswith(("torch", "tensorflow", "triton"))
        ]
