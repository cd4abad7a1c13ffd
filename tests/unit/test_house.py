"""The rules for the repository's files: which file imports which, how heavy an import is, and what no file holds."""

import ast
import gc
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "course_utils"

# Folders and single files of the package, from the lowest to the highest. Each may import itself and what is lower.
FLOORS = [
    {"core"},
    {"frameworks"},
    {"sandbox"},
    {"timing"},
    {"counting"},
    {"limits"},
    {"explaining"},
    {"races"},
    {"tasks"},
    {"judging"},
    {"learner"},
    {"grading"},
    {"board"},
    {"ui", "doctor"},
    {"authoring", "class_preflight"},
    {"cli", "__init__"},
]
FLOOR_OF = {unit: floor for floor, units in enumerate(FLOORS) for unit in units}
FILES = sorted(PACKAGE.rglob("*.py"))
MAX_LINES = 250
HEAVY_MODULES = ["torch", "tensorflow", "keras", "ipywidgets", "matplotlib"]

# The folders and files that may name a framework, each with the reason.
MAY_NAME_A_FRAMEWORK = {
    "frameworks": "this folder holds what differs between the frameworks",
    "tasks": "an exercise is written in one framework",
    "counting": "each framework is counted by its own means",
    "limits/benchmark_kernels": "each framework is measured with its own operations",
    "grading/torch_codec.py": "each framework's values travel by their own means",
    "grading/torch_module_codec.py": "only torch has modules and optimizers that a call may change",
    "grading/torch_remote_tensors.py": "only torch's operations can be run and counted in another process",
    "grading/request_operations_from_parent.py": "only torch's operations can be run and counted in another process",
    "grading/operation_codec.py": "only torch's operations can be run and counted in another process",
    "grading/recorded_operations.py": "only torch's operations can be run and counted in another process",
    "grading/run_operations_for_child.py": "only torch's operations can be run and counted in another process",
    "grading/torch_gradients.py": "it connects torch's gradients of two processes",
    "grading/tensorflow_codec.py": "each framework's values travel by their own means",
    "grading/torch_warm_up.py": "it loads what torch loads at its first operations",
    "grading/framework_codecs.py": "it chooses the files of a framework",
    "judging/check_on_fake_device.py": "only in torch does code choose each tensor's device",
    "judging/torch_reversed_writes.py": "it reverses the writes of torch's own operations",
    "judging/torch_reversed_ties.py": "it reverses the order of equal values in torch's own sorts",
    "judging/tensorflow_reversed_writes.py": "it reverses the writes of TensorFlow's own operation",
    "judging/fake_device.py": "it fakes a device of torch, the only framework in which code chooses each tensor's device",
}
FRAMEWORK_NAME = re.compile(r"(torch|tensorflow|keras)(\.\w*)*")


@pytest.fixture(scope="module", autouse=True)
def paused_collector():
    """Pause the garbage collector, which would visit all syntax trees again and again: two thirds of the time to parse."""
    gc.disable()
    yield
    gc.enable()


@cache
def syntax_tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def relative(path):
    return path.relative_to(PACKAGE).as_posix()


def unit_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_units(path):
    """Yield the units of the package that ``path`` imports, also inside functions."""
    for node in ast.walk(syntax_tree(path)):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} has a relative import; write course_utils in full"
            names = [f"{node.module}.{each.name}" for each in node.names]
        else:
            continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == PACKAGE.name:
                unit = rest.partition(".")[0]
                yield unit if (PACKAGE / unit).is_dir() or (PACKAGE / f"{unit}.py").exists() else "__init__"


def tracked_files(*patterns):
    """Return the repository's files that match a pattern, including new ones that are not committed yet."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in output.splitlines() if (ROOT / line).is_file()]


def test_files_import_only_from_lower_floors():
    without_floor = {unit for unit in map(unit_of, FILES) if unit not in FLOOR_OF}
    assert not without_floor, "give these a place in FLOORS"
    upwards = [
        f"{relative(path)} is on floor {FLOOR_OF[unit_of(path)]} and imports {imported} on floor {FLOOR_OF[imported]}"
        for path in FILES
        for imported in set(imported_units(path)) - {unit_of(path)}
        if FLOOR_OF[imported] >= FLOOR_OF[unit_of(path)]
    ]
    assert not upwards


def framework_names(tree):
    """Yield the frameworks that code imports or names in a string, as in ``sys.modules["torch"]``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [node.value]
        else:
            continue
        yield from (name for name in names if FRAMEWORK_NAME.fullmatch(name))


@pytest.mark.slow
def test_only_listed_folders_name_a_framework():
    naming = {relative(path) for path in FILES if any(framework_names(syntax_tree(path)))}
    allowed = {
        room: {name for name in naming if name == room or name.startswith(f"{room}/")} for room in MAY_NAME_A_FRAMEWORK
    }
    stray = naming.difference(*allowed.values())
    assert not stray, f"{sorted(stray)} name a framework; use a method of `frameworks` instead"
    assert all(allowed.values()), "remove from MAY_NAME_A_FRAMEWORK what names no framework any more"


def test_framework_names_are_found_in_imports_and_strings():
    for source in (
        "sys.modules['torch'].ones(1)",
        "import torch.nn",
        "from tensorflow.python import eager",
        "def f():\n    import keras",
        "if task.framework == 'tensorflow': pass",
        "name.startswith('torch.')",
    ):
        assert list(framework_names(ast.parse(source))), source
    harmless = "'TensorFlow needs one dtype.'; from course_utils.frameworks import torch"
    assert not list(framework_names(ast.parse(harmless)))


def test_files_begin_with_a_docstring():
    assert not [relative(path) for path in FILES if not ast.get_docstring(syntax_tree(path))]


def test_files_are_at_most_250_lines_long():
    lines = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    # An exercise holds its data, so it may be longer.
    assert not {name: count for name, count in lines.items() if count > MAX_LINES and "/task_" not in name}


@pytest.mark.slow
def test_importing_the_package_imports_nothing_heavy():
    script = f"import course_utils, sys; print([each for each in {HEAVY_MODULES} if each in sys.modules])"
    assert run(script) == "[]"


@pytest.mark.slow
def test_importing_everything_below_ui_imports_nothing_heavy():
    modules = sorted(
        f"{PACKAGE.name}.{unit}" for unit in {unit_of(path) for path in FILES} if FLOOR_OF[unit] < FLOOR_OF["ui"]
    )
    script = f"import {', '.join(modules)}, sys; print([each for each in {HEAVY_MODULES} if each in sys.modules])"
    assert run(script) == "[]"


@pytest.mark.slow
def test_importing_the_package_takes_at_most_150_ms():
    script = (
        "import time; before = time.process_time(); import course_utils; print(1000 * (time.process_time() - before))"
    )
    # Other programs add little to the processor time of the fastest of five runs.
    assert min(float(run(script)) for _ in range(5)) <= 150


def run(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.slow
def test_no_file_holds_a_path_of_a_machine():
    absolute = re.compile(r"(?<![\w.}>~:/-])/(?:home|root|opt|Users|work|mnt)/\w")
    texts = tracked_files(
        "*.py", "*.md", "*.toml", "*.txt", "*.yml", "*.json", "*.ipynb", "Makefile", ".ci/run", "LICENSE*"
    )
    assert texts
    for path in texts:
        match = absolute.search(path.read_text(encoding="utf-8"))
        assert match is None, f"{path.relative_to(ROOT)} holds {match[0]}…"


@pytest.mark.parametrize("path", sorted((ROOT / "exercises").glob("*.ipynb")), ids=lambda path: path.name)
def test_exercises_hold_no_solution(path):
    for cell in nbformat.read(path, as_version=4).cells:
        for marker in ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"):
            assert marker not in cell.source, f"cell {cell.id!r} still holds {marker}"
