"""`unloop preflight` says who of a class can work, and what each person must do."""

import codecs
import importlib.metadata
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from sample_limits import PEAKS

from course_utils import class_preflight, doctor, frameworks
from course_utils.class_preflight import PreflightError, examine_class
from course_utils.doctor import FrameworkStatus, Problem, Report

UNLOOP = [sys.executable, "-c", "from course_utils.cli import main; main()"]
COURSE = importlib.metadata.version("unloop")
BOTH = tuple(FrameworkStatus(name, "1.0", (("cpu", "A processor"),)) for name in frameworks.NAMES)
ALL_WELL = Report(
    course=COURSE,
    python="3.12.1",
    system="Linux",
    machine="A processor, 4 cores",
    instruction_sets={"AVX2": True},
    frameworks=BOTH,
    libraries={"numpy": "2.0", "nbval": None},
    peaks={"cpu": PEAKS},
    problems=(Problem("This machine has no GPU.", is_note=True),),
)
NO_TENSORFLOW = replace(
    ALL_WELL,
    frameworks=(BOTH[0], FrameworkStatus("tensorflow", None)),
    problems=(Problem("tensorflow is not installed; `pip install tensorflow` installs it."),),
)
BROKEN = replace(
    ALL_WELL,
    problems=(Problem("Only one core."), Problem("jupyterlab is not installed; install it.", blocks_learning=True)),
)


def only_person(folder, content, name="ada.json"):
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (person,) = examine_class(folder)
    return person


def test_class_is_listed_with_what_each_must_do(tmp_path):
    for name, report in {"ada": ALL_WELL, "ben": BROKEN, "cleo": NO_TENSORFLOW}.items():
        (tmp_path / f"{name}.json").write_text(report.to_json())
    (tmp_path / ".DS_Store").write_bytes(b"\0")
    people = {person.name: person for person in examine_class(tmp_path)}
    assert list(people) == ["ben", "cleo", "ada"], "the most urgent first"
    assert [person.can_work for person in people.values()] == ["no", f"{frameworks.by_name('torch').title} only", "yes"]
    assert people["ada"].actions == ()
    assert people["ben"].actions == ("jupyterlab is not installed; install it.", "Only one core.")
    assert people["cleo"].actions == ("tensorflow is not installed; `pip install tensorflow` installs it.",)


def test_report_of_this_machine_is_understood(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "_examine_framework", lambda name: FrameworkStatus(name, "1.0"))
    assert only_person(tmp_path, doctor.examine().to_json()).can_work == "yes"


def test_older_course_must_be_updated(tmp_path):
    person = only_person(tmp_path, replace(ALL_WELL, course="0.0.9").to_json())
    assert person.can_work == "yes"
    assert person.actions == (
        f"The course is version 0.0.9 and yours is {COURSE}; update it with `git pull`, then install it again.",
    )


@pytest.mark.parametrize(
    "encode", [lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"), lambda text: text.encode("utf-8-sig")]
)
def test_files_of_powershell_are_read(tmp_path, encode):
    assert only_person(tmp_path, encode(ALL_WELL.to_json() + "\r\n")).can_work == "yes"


def test_report_copied_from_a_terminal_is_read(tmp_path):
    copied = f"(.venv) ada@home:~/unloop$ unloop doctor --json\n{ALL_WELL.to_json()}\n(.venv) ada@home:~/unloop$ "
    assert only_person(tmp_path, copied, "ada.txt").can_work == "yes"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "ada.json is empty"),
        (b" \n", "ada.json is empty"),
        (b"\xff\xfe\xfd", "ada.json is not text"),
        ("Course      unloop 0.1.0\nPython", "ada.json is not JSON (it begins with 'Course      unloop 0.1.0')"),
        ('{"course": "0.1.0", ', "ada.json is not JSON"),
        ("[" * 100_000, "ada.json is not JSON"),
        ("[1, 2]", "ada.json is JSON, but no report of `unloop doctor`"),
        ('{"cells": []}', "ada.json is JSON, but no report of `unloop doctor`"),
        ('{"can_learn": true, "course": 3}', "ada.json was written by another version of the course"),
        (b"x" * (class_preflight.MOST_BYTES + 1), "ada.json has 1 MB, too much for a report"),
    ],
    ids=["empty", "blank", "binary", "text", "cut off", "deep", "list", "notebook", "other fields", "huge"],
)
def test_bad_file_gets_one_sentence(tmp_path, content, sentence):
    person = only_person(tmp_path, content)
    assert (person.can_work, len(person.actions)) == ("?", 1)
    assert person.actions[0].startswith(sentence)
    assert person.actions[0].endswith(f"; {class_preflight.AGAIN}.")


def test_control_characters_do_not_reach_the_terminal(tmp_path):
    evil = replace(BROKEN, problems=(Problem("red \x1b[31m text", blocks_learning=True),))
    assert only_person(tmp_path, evil.to_json()).actions == ("red [31m text",)


def test_missing_or_empty_folder_is_one_sentence(tmp_path):
    with pytest.raises(PreflightError, match="There is no folder .*gone"):
        examine_class(tmp_path / "gone")
    with pytest.raises(PreflightError, match="holds no files; ask everyone"):
        examine_class(tmp_path)


@pytest.mark.slow
def test_command_prints_one_table_for_a_class_of_30(tmp_path):
    for number in range(30):
        report = (BROKEN, NO_TENSORFLOW, ALL_WELL)[min(number, 2)]
        (tmp_path / f"learner [{number}].json").write_text(report.to_json())
    (tmp_path / "last.json").write_text("no report")
    done = subprocess.run(
        [*UNLOOP, "preflight", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": "200"},
    )
    assert done.stderr == ""
    assert done.returncode == 1
    assert done.stdout.count("nothing") == 28
    assert "learner [0]" in done.stdout and "jupyterlab is not installed" in done.stdout
    assert "29 of 31 can work, 1 cannot, and 1 file cannot be read." in done.stdout
