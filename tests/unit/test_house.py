"""The house stands: files import only from below, the package is light, no text tells of the machine it came from."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "course_utils"

# From the ground up. A folder is one unit; its files may import each other. A new file needs a floor here.
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
    {"ui", "authoring", "doctor"},
    {"cli", "__init__"},
]
FLOOR = {unit: height for height, units in enumerate(FLOORS) for unit in units}
FILES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES = 250
HEAVY = ["torch", "tensorflow", "keras", "ipywidgets", "matplotlib"]


# Who may name a framework: the rooms where each has a file of its own, and single files, each for its reason.
NAMING = {
    "frameworks": "it is the room for it",
    "tasks": "an exercise is written in one framework",
    "counting": "each framework is counted in ways of its own",
    "limits/benchmark_kernels": "each framework is measured by operations of its own",
    "judging/on_device.py": "only torch's tensors lie where whoever makes them says",
}
NAMED = re.compile(r"(torch|tensorflow|keras)(\.\w*)*")


def name_of(path):
    return path.relative_to(PACKAGE).as_posix()


def unit_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_units(path):
    """The units of the package that ``path`` imports anywhere, also inside its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively; write course_utils in full"
            names = [f"{node.module}.{each.name}" for each in node.names]
        else:
            continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == PACKAGE.name:
                unit = rest.partition(".")[0]
                yield unit if (PACKAGE / unit).is_dir() or (PACKAGE / f"{unit}.py").exists() else "__init__"


def tracked(*patterns):
    """The repository's own files that match, also those that are not committed yet."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in listed.splitlines() if (ROOT / line).is_file()]


def test_a_file_imports_only_from_below():
    homeless = {unit for unit in map(unit_of, FILES) if unit not in FLOOR}
    assert not homeless, "these have no floor; give them one in FLOORS"
    upwards = [
        f"{name_of(path)} stands on floor {FLOOR[unit_of(path)]} and imports {imported} on {FLOOR[imported]}"
        for path in FILES
        for imported in set(imported_units(path)) - {unit_of(path)}
        if FLOOR[imported] >= FLOOR[unit_of(path)]
    ]
    assert not upwards


def frameworks_named(source):
    """The frameworks' names that ``source`` imports or holds as strings of their own, as in ``sys.modules["torch"]``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [node.value]
        else:
            continue
        yield from (name for name in names if NAMED.fullmatch(name))


def test_only_the_rooms_for_it_name_a_framework():
    naming = {
        path.relative_to(PACKAGE).as_posix()
        for path in FILES
        if any(frameworks_named(path.read_text(encoding="utf-8")))
    }
    allowed = {room: {name for name in naming if name == room or name.startswith(f"{room}/")} for room in NAMING}
    stray = naming.difference(*allowed.values())
    assert not stray, f"{sorted(stray)} name a framework; ask `frameworks` for what it can do instead"
    assert all(allowed.values()), "a room that names no framework any more needs no place in NAMING"


def test_a_framework_is_found_wherever_it_is_named():
    for source in (
        "sys.modules['torch'].ones(1)",
        "import torch.nn",
        "from tensorflow.python import eager",
        "def f():\n    import keras",
        "if task.framework == 'tensorflow': pass",
        "name.startswith('torch.')",
    ):
        assert list(frameworks_named(source)), source
    assert not list(frameworks_named("'TensorFlow joins no such tensors.'; from course_utils.frameworks import torch"))


def test_a_file_begins_by_saying_what_it_is_for():
    assert not [name_of(path) for path in FILES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]


def test_a_file_is_short_enough_for_one_idea():
    lines = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    long = {name: count for name, count in lines.items() if count > MOST_LINES and "/task_" not in name}
    assert not long, "an exercise's data alone may have more"


@pytest.mark.process
def test_importing_the_package_imports_nothing_heavy():
    script = f"import course_utils, sys; print([each for each in {HEAVY} if each in sys.modules])"
    assert run(script) == "[]"


@pytest.mark.process
def test_importing_the_core_imports_nothing_heavy():
    core = sorted(f"{PACKAGE.name}.{unit}" for unit in {unit_of(path) for path in FILES} if FLOOR[unit] < FLOOR["ui"])
    script = f"import {', '.join(core)}, sys; print([each for each in {HEAVY} if each in sys.modules])"
    assert run(script) == "[]"


@pytest.mark.process
def test_importing_the_package_takes_at_most_150_ms():
    script = (
        "import time; before = time.perf_counter(); import course_utils; print(1000 * (time.perf_counter() - before))"
    )
    # The best of several: what a busy neighbour adds is not ours.
    assert min(float(run(script)) for _ in range(5)) <= 150


def run(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.process
def test_no_text_names_a_path_of_somebodys_machine():
    absolute = re.compile(r"(?<![\w.}>~:/-])/(?:home|root|opt|Users|work|mnt)/\w")
    texts = tracked("*.py", "*.md", "*.toml", "*.txt", "*.yml", "*.json", "*.ipynb", "Makefile", ".ci/run", "LICENSE*")
    assert texts
    for path in texts:
        found = absolute.search(path.read_text(encoding="utf-8"))
        assert found is None, f"{path.relative_to(ROOT)} names {found[0]}…"


@pytest.mark.parametrize("path", sorted((ROOT / "exercises").glob("*.ipynb")), ids=lambda path: path.name)
def test_no_exercise_gives_its_solution_away(path):
    for cell in nbformat.read(path, as_version=4).cells:
        for marker in ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"):
            assert marker not in cell.source, f"cell {cell.id!r} still holds {marker}"
