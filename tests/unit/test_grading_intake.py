"""Submissions are read unchanged from folders and from platforms' zips, and odd files mislead nothing."""

import io
import os
import stat
import struct
import sys
import zipfile

import pytest
from sample_submissions import LESSON, TASKS, as_bytes, cell_of, notebook, write_class

from course_utils.grading.intake import read_class
from course_utils.grading.notebook import NotebookRefused, read_notebook
from course_utils.grading.read_class_files import ClassUnreadable
from course_utils.grading.student_from_path import read_sender

FILE = f"{LESSON}.ipynb"
UNTOUCHED = as_bytes(notebook())


def zip_of(path, members):
    """Return a zip: name of a member → its bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def zip_bytes(members):
    stream = io.BytesIO()
    zip_of(stream, members)
    return stream.getvalue()


def students(work):
    return [each.sender.student for each in work.notebooks]


def only(work):
    (each,) = work.notebooks
    return each


@pytest.mark.parametrize(
    ("path", "student", "number"),
    [
        ("doejane_1234_5678_03_element_loops.ipynb", "doejane (1234)", "1234"),
        ("doejane_LATE_1234_5678_03_element_loops-1.ipynb", "doejane (1234)", "1234"),
        ("müllerlüdenscheidtjörg_7_8_a.ipynb", "müllerlüdenscheidtjörg (7)", "7"),
        ("van_derberg_12_34_99_01_a.ipynb", "van_derberg (12)", "12"),
        ("anon_Ab1Cd_5678_a.ipynb", "anon_Ab1Cd", "anon_Ab1Cd"),
        ("LATE_anon_Ab1Cd_5678_a.ipynb", "anon_Ab1Cd", "anon_Ab1Cd"),
        ("Jörg Müller_98_assignsubmission_file/a.ipynb", "Jörg Müller (98)", "98"),
        ("Doe, Jane_98_assignsubmission_file_/folder/a.ipynb", "Doe, Jane (98)", "98"),
        ("Jane Doe_98_assignsubmission_file_a.ipynb", "Jane Doe (98)", "98"),
        ("Participant_98_assignsubmission_file_/a.ipynb", "Participant (98)", "98"),
        ("Doe, Jane/week1/a.ipynb", "Doe, Jane", ""),
        ("Jane.zip/homework/a.ipynb", "Jane", ""),
        ("Mu\u0308ller/a.ipynb", "Müller", ""),
        ("jane/bob_1_2_a.ipynb", "jane", ""),
        ("jane/Bob_9_assignsubmission_file/a.ipynb", "jane", ""),
    ],
)
def test_senders_are_read_from_names_of_platforms(path, student, number):
    sender = read_sender(path)
    assert (sender.student, sender.number) == (student, number)


def test_a_file_in_no_students_folder_is_left_out_with_a_note(tmp_path):
    write_class(tmp_path, {"Jane": {}})
    (tmp_path / FILE).write_bytes(UNTOUCHED)
    work = read_class(tmp_path)
    assert students(work) == ["Jane"]
    assert work.notes == (f"{FILE} is in no student's folder, so it was left out.",)


def test_folders_of_students_are_read_in_order(tmp_path):
    write_class(tmp_path, {"Doe, Jane": {}, "ädelheid": {}, "Zoë van Dyk": {}, "bob": {}})
    work = read_class(tmp_path)
    assert students(work) == ["bob", "Doe, Jane", "Zoë van Dyk", "ädelheid"]
    assert {each.lesson for each in work.notebooks} == {LESSON}
    assert [cell.task_id for cell in work.notebooks[0].cells if cell.task_id] == list(TASKS)


def test_nbgraders_submitted_folder_names_student_and_assignment(tmp_path):
    write_class(tmp_path / "submitted", {"jane/week1": {}})
    write_class(tmp_path / "release", {"nobody/week1": {}})
    work = read_class(tmp_path)
    assert (only(work).sender.student, only(work).assignment) == ("jane", "week1")


def test_of_two_uploads_to_canvas_the_last_one_counts(tmp_path):
    last = as_bytes(notebook({TASKS[0]: "# right"}))
    archive = zip_of(
        tmp_path / "submissions.zip",
        {
            f"doejane_LATE_12_900_{LESSON}-1.ipynb": last,
            f"doejane_12_100_{FILE}": UNTOUCHED,
            f"roejo_13_5_{FILE}": UNTOUCHED,
        },
    )
    work = read_class(archive)
    assert students(work) == ["doejane (12)", "roejo (13)"]
    assert work.notebooks[0].path == f"doejane_LATE_12_900_{LESSON}-1.ipynb"
    assert work.notebooks[0].sender.late
    twice, late = work.notes
    assert twice.startswith("doejane (12) handed in 03_element_loops 2 times: doejane_LATE")
    assert late == f"doejane (12) handed in doejane_LATE_12_900_{LESSON}-1.ipynb late."


def test_of_two_files_in_a_folder_the_newer_one_counts(tmp_path):
    write_class(tmp_path, {"Jane": {}})
    old, new = tmp_path / "Jane" / "mine.ipynb", tmp_path / "Jane" / FILE
    old.write_bytes(as_bytes(notebook({TASKS[0]: "# right"})))
    os.utime(old, (1, 1))
    assert only(read_class(tmp_path)).path == f"Jane/{FILE}"
    os.utime(new, (0, 0))
    assert only(read_class(tmp_path)).path == "Jane/mine.ipynb"


def test_an_export_of_moodle_with_a_students_zip_inside(tmp_path):
    inner = zip_bytes({"homework/deep/mine.ipynb": UNTOUCHED, "__MACOSX/._mine.ipynb": b"icon"})
    work = read_class(
        zip_of(
            tmp_path / "moodle.zip",
            {
                "Jörg Müller_98_assignsubmission_file/homework.zip": inner,
                "Doe, Jane_99_assignsubmission_file_/03_element_loops.ipynb": UNTOUCHED,
                "Participant_7_assignsubmission_file/.ipynb_checkpoints/old.ipynb": b"",
            },
        )
    )
    assert students(work) == ["Doe, Jane (99)", "Jörg Müller (98)"]


def test_names_in_a_zip_without_the_flag_for_utf8_are_read_as_utf8(tmp_path):
    path = zip_of(tmp_path / "class.zip", {f"Jörg Müller_98_assignsubmission_file/{FILE}": UNTOUCHED})
    content = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(signature) + offset
        flags = struct.unpack_from("<H", content, at)[0]
        struct.pack_into("<H", content, at, flags & ~0x800)
    path.write_bytes(content)
    assert students(read_class(path)) == ["Jörg Müller (98)"]


def test_a_path_that_leads_out_of_the_zip_is_refused_and_writes_nothing(tmp_path):
    archive = zip_of(tmp_path / "class.zip", {f"jane/../../bob/{FILE}": UNTOUCHED, f"C:\\ann\\{FILE}": UNTOUCHED})
    before = sorted(tmp_path.rglob("*"))
    problems = {each.problem for each in read_class(archive).notebooks}
    assert problems == {"Its path in the zip leads out of the zip's folder."}
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(sys.platform == "win32", reason="creating a link needs rights on Windows")
def test_symbolic_links_are_not_followed(tmp_path):
    write_class(tmp_path / "class", {"bob": {TASKS[0]: "# right"}})
    (tmp_path / "class" / "jane").mkdir()
    (tmp_path / "class" / "jane" / FILE).symlink_to(tmp_path / "class" / "bob" / FILE)
    (tmp_path / "class" / "eve").symlink_to(tmp_path / "class" / "bob")
    link = zipfile.ZipInfo(f"jane/{FILE}")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr(link, f"../bob/{FILE}")
    for place in (tmp_path / "class", tmp_path / "class.zip"):
        problems = {each.sender.student: each.problem for each in read_class(place).notebooks}
        assert problems["jane"] == "It is a symbolic link, which is not followed."
    assert "eve" not in problems


@pytest.mark.parametrize("forged", [False, True], ids=["plain", "forged size"])
def test_a_zip_bomb_is_refused_without_being_unpacked(tmp_path, forged, monkeypatch):
    monkeypatch.setattr("course_utils.grading.read_class_files.NOTEBOOK_BYTES", 2**20)
    path = zip_of(tmp_path / "class.zip", {f"jane/{FILE}": bytes(2**24), f"bob/{FILE}": UNTOUCHED})
    if forged:
        content = path.read_bytes().replace(struct.pack("<I", 2**24), struct.pack("<I", 10))
        path.write_bytes(content)
    bob, jane = read_class(path).notebooks
    assert not bob.problem
    assert jane.problem.startswith(("It has 16 MB", "It cannot be read from the zip"))


def test_a_students_zip_with_too_many_bytes_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("course_utils.grading.read_class_files.ZIP_BYTES", 2**20)
    inner = zip_bytes({f"{number}.ipynb": bytes(2**18) for number in range(8)})
    assert len(inner) < 2**20
    path = zip_of(tmp_path / "class.zip", {"jane/homework.zip": inner})
    assert only(read_class(path)).problem == "The zip unpacks to more files or bytes than a submission has."


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "The file is empty."),
        (b'{"cells": [', "The file is not a notebook: its text is damaged or incomplete."),
        (b"[" * 200_000, "The file is not a notebook: its text is damaged or incomplete."),
        (b'{"a": ' + b"9" * 5000 + b"}", "The file is not a notebook: its text is damaged or incomplete."),
        (b"\xff\xfe\x00", "The file is not a notebook: its text is damaged or incomplete."),
        (b"[1, 2]", "The file is not a notebook: it has no cells."),
        (b'{"worksheets": []}', "The notebook has Jupyter's old format 3; open it in JupyterLab and save it again."),
        (
            b'{"cells": [{"cell_type": "code", "source": "print(1)"}, 3]}',
            "The notebook holds no exercise of this course.",
        ),
        (
            b'{"cells": [{"cell_type": "code", "id": "turn-count-negative", "source": ""}]}',
            "This is the notebook of a lesson, not the one of its exercises, which is in the folder `exercises`.",
        ),
    ],
)
def test_what_is_no_notebook_of_ours_gets_a_reason(content, problem):
    with pytest.raises(NotebookRefused) as refused:
        read_notebook(content)
    assert str(refused.value) == problem


def test_a_damaged_file_is_refused_under_the_lesson_in_its_name(tmp_path):
    write_class(tmp_path, {"jane": {}})
    (tmp_path / "jane" / FILE).write_bytes(b"")
    (tmp_path / "jane" / "other.ipynb").write_bytes(b"{")
    other, damaged = read_class(tmp_path).notebooks
    assert (other.lesson, other.problem[:26]) == ("", "The file is not a notebook")
    assert (damaged.lesson, damaged.problem) == (LESSON, "The file is empty.")


def test_what_is_not_ours_counts_only_if_a_student_has_nothing_else(tmp_path):
    write_class(tmp_path, {"ann": {}, "bob": {}, "cy": {}, "dee": {}})
    (tmp_path / "ann" / "other.ipynb").write_bytes(b'{"cells": []}')
    (tmp_path / "ann" / "data.csv").write_bytes(b"1")
    (tmp_path / "ann" / "torch.py").write_bytes(b"raise SystemExit")
    (tmp_path / "bob" / FILE).write_bytes(b'{"cells": []}')
    (tmp_path / "cy" / FILE).rename(tmp_path / "cy" / "answers.py")
    (tmp_path / "cy" / "essay.pdf").write_bytes(b"")
    (tmp_path / "grades.csv").write_bytes(b"")
    work = read_class(tmp_path)
    assert [(each.sender.student, each.lesson, each.problem) for each in work.notebooks] == [
        ("ann", LESSON, ""),
        ("bob", "", "The notebook holds no exercise of this course."),
        ("cy", "", "It is not a notebook."),
        ("dee", LESSON, ""),
    ]
    assert work.notes == ("ann/other.ipynb was left out: The notebook holds no exercise of this course.",)


def answers(content):
    lesson, cells = read_notebook(as_bytes(content))
    assert lesson == LESSON
    return {cell.task_id: cell.source for cell in cells if cell.task_id}


def test_metadata_of_colab_and_of_old_formats_don_t_hide_answers():
    content = notebook({TASKS[0]: "# right"})
    whole = answers(content)
    for cell in content["cells"]:
        cell["metadata"]["id"] = cell.pop("id")  # as Colab stores it
        cell["source"] = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
    assert answers(content) == whole
    for cell in content["cells"]:
        cell["metadata"] = {}
    assert answers(content) == whole


def test_edited_points_change_nothing():
    content = notebook()
    cell_of(content, "clip-and-scale-check")["metadata"]["nbgrader"]["points"] = 1000
    assert read_notebook(as_bytes(content)) == read_notebook(UNTOUCHED)


def test_deleted_and_reordered_cells():
    content = notebook({TASKS[0]: "# right"})
    content["cells"].reverse()
    content["cells"].remove(cell_of(content, "tiled-add-answer"))
    found = answers(content)
    assert set(found) == set(TASKS) - {"tiled_add"}
    assert list(found) == [task_id for task_id in reversed(TASKS) if task_id != "tiled_add"]


def test_an_untouched_copy_of_an_answer_does_not_replace_it():
    content = notebook({TASKS[0]: "# right"})
    stub = cell_of(notebook(), "clip-and-scale-answer")
    content["cells"].append(stub)
    assert "# right" in answers(content)[TASKS[0]]
    content["cells"].append(cell_of(notebook({TASKS[0]: "# wrong: later"}), "clip-and-scale-answer"))
    sources = [cell.source for cell in read_notebook(as_bytes(content))[1] if cell.task_id == TASKS[0]]
    assert len(sources) == 2
    assert "later" in sources[-1]


def test_a_cell_may_answer_several_tasks():
    content = notebook()
    content["cells"] = [cell_of(content, "clip-and-scale-answer")]
    content["cells"][0]["source"] = "\n".join(f"def {task_id}(x):\n    return x" for task_id in TASKS[:3])
    assert list(answers(content)) == list(TASKS[:3])


def test_setup_and_checks_are_left_out_and_helpers_stay():
    content = notebook()
    helper = {"cell_type": "code", "id": "x", "metadata": {}, "source": "def helper():\n    pass"}
    content["cells"].insert(3, helper)
    sources = [cell.source for cell in read_notebook(as_bytes(content))[1]]
    assert helper["source"] in sources
    assert not [source for source in sources if source.startswith(("# Setup", "from course_utils import check"))]


def test_marks_of_an_earlier_version_are_not_taken_for_a_later_one(tmp_path):
    digests = set()
    for answer in ("# right", "# wrong: a", "# right"):
        write_class(tmp_path / str(len(digests)) / answer, {"jane": {TASKS[0]: answer}})
        digests.add(only(read_class(tmp_path / str(len(digests)) / answer)).digest)
    assert len(digests) == 2


@pytest.mark.parametrize("kind", ["missing", "empty", "damaged"])
def test_a_class_without_notebooks_gets_one_sentence(tmp_path, kind):
    place = tmp_path / "class.zip"
    if kind == "empty":
        place = tmp_path
    elif kind == "damaged":
        place.write_bytes(b"PK\x03\x04 and nothing else")
    with pytest.raises(ClassUnreadable, match="give|download") as error:
        read_class(place)
    assert repr(str(place)) in str(error.value)
