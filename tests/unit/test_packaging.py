"""One lock, one address and one set of commands, wherever the course is installed."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCK = [
    line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]


def pins(name):
    return [pin for pin in map(Requirement, LOCK) if pin.name == name]


@pytest.mark.parametrize("line", [*PROJECT["dependencies"], *(line for lines in EXTRAS.values() for line in lines)])
def test_the_lock_pins_what_the_extras_ask_for(line):
    wanted = Requirement(line)
    if wanted.name == PROJECT["name"]:  # an extra that consists of other extras
        assert wanted.extras <= set(EXTRAS)
        return
    assert pins(wanted.name), f"constraints.txt lacks {wanted.name}; run `make lock`"
    for pin in pins(wanted.name):
        (exact,) = pin.specifier
        assert exact.operator == "==" and wanted.specifier.contains(exact.version), f"{pin} is not in {wanted}"


def test_lock_pins_torch_and_contains_no_path():
    assert [str(pin.specifier) for pin in pins("torch")] == ["==2.13.0"]
    assert not re.search(r"://|--(?:extra-)?index-url|--find-links|@", (ROOT / "constraints.txt").read_text())


def test_the_frameworks_are_no_dependencies_of_the_package():
    names = {Requirement(line).name for line in PROJECT["dependencies"]}
    assert not names & {"torch", "tensorflow", "tensorflow-cpu"}


def test_conda_installs_the_package_with_the_same_pins():
    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    (pip,) = (each["pip"] for each in dependencies if isinstance(each, dict))
    assert "--constraint constraints.txt" in pip
    assert "--editable .[lab]" in pip
    (python,) = (each for each in dependencies if str(each).startswith("python="))
    assert python.removeprefix("python=") in {"3.11", "3.12", "3.13"}  # where both frameworks have builds


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="repo2docker does not run on Windows")
def test_binder_accepts_the_repository_and_copies_it_before_it_installs():
    command = ["-m", "repo2docker", "--no-build", "--debug", "--user-id", "1000", "--user-name", "jovyan", "."]
    done = subprocess.run(
        [sys.executable, *command], check=False, cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    dockerfile = done.stdout + done.stderr
    copy = dockerfile.index("COPY --chown=1000:1000 src/ ")
    install = dockerfile.index("env update -p ${NB_PYTHON_PREFIX}")
    assert copy < install
    assert '--file "environment.yml"' in dockerfile[install:]


@pytest.mark.slow
def test_a_wheel_carries_every_module_and_the_recordings(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "LICENSE-text"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "course_utils", source / "course_utils", ignore=shutil.ignore_patterns("__pycache__"))
    (source / "recordings").mkdir()
    (source / "recordings" / "some-machine.json").write_text("{}")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*build, "--wheel-dir", tmp_path, source], check=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    carried = set(zipfile.ZipFile(wheel).namelist())
    files = [path for path in (source / "course_utils").rglob("*") if path.is_file()]
    assert {path.relative_to(source).as_posix() for path in files} <= carried
    assert "recordings/some-machine.json" in carried
