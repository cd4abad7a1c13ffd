"""Progress keeps the best of what was done, and survives crashes, two notebooks at once, and disks that refuse."""

import json
import os
import signal
import subprocess
import sys
import time
import warnings

import pytest

import course_utils
from course_utils.learner import progress_file
from course_utils.learner.progress import ProgressError, progress

WRITER = """
import sys
from course_utils.learner import progress_file
print("up", flush=True)
for _ in range(int(sys.argv[1])):
    progress_file.record_hint("double")
"""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    for variable in progress_file._TEMPORARY_HOSTS:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(progress_file, "_in_memory", None)
    monkeypatch.setattr(progress_file, "_warned_of_temporary_disk", False)
    return tmp_path


def writer(home, count):
    environment = os.environ | {"UNLOOP_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(count)], env=environment, stdout=subprocess.PIPE, text=True
    )


def test_a_new_learner_has_done_nothing():
    tables = ("tasks", "races", "guesses", "settled", "practice", "hints", "shares", "attempts", "reports")
    empty: dict[str, dict] = {table: {} for table in tables}
    assert progress_file.read() == {"version": 1} | empty
    assert str(progress()) == "Nothing done yet: run a race, or solve a task."


def test_best_attempt_at_a_task_is_stored():
    progress_file.record_task("double", 1, 2, 30.0)
    progress_file.record_task("double", 2, 2, None)
    progress_file.record_task("double", 0, 2, 12.0)
    entry = progress_file.read()["tasks"]["double"]
    assert (entry["points"], entry["of"], entry["ratio"]) == (2, 2, 30.0)


def test_interval_and_machine_belong_to_the_best_ratio():
    progress_file.record_task("double", 2, 2, 30.0, (28.0, 33.0), "AMD EPYC")
    progress_file.record_task("double", 2, 2, 12.0, (11.0, 13.0), "another machine")
    entry = progress_file.read()["tasks"]["double"]
    assert (entry["ratio"], entry["interval"], entry["machine"]) == (30.0, [28.0, 33.0], "AMD EPYC")


def test_best_finite_ratio_of_a_race_is_stored():
    progress_file.record_race("where", 40.0, "cpu")
    progress_file.record_race("where", 400.0, "cuda:0")
    progress_file.record_race("where", 90.0, "cpu")
    progress_file.record_race("where", float("inf"), "cpu")
    assert progress_file.read()["races"]["where"]["ratio"] == 400.0
    assert progress_file.read()["races"]["where"]["device"] == "cuda:0"


def test_guess_is_stored_and_can_be_changed():
    assert progress_file.guess("where") is None
    progress_file.record_guess("where", 10)
    progress_file.record_guess("where", 100)
    assert progress_file.guess("where") == 100.0
    progress_file.record_guess("where", "the loop")
    assert progress_file.guess("where") == "the loop"


def test_guesses_and_practice_are_counted():
    for name, right in (("where", True), ("tiny", False), ("mask", True)):
        progress_file.record_guess(name, 10)
        progress_file.record_outcome(name, right)
    progress_file.record_guess("waits", "never")
    progress_file.record_practice("first_above")
    progress_file.record_practice("first_above")
    text = str(progress())
    assert "2 of 3 predictions right, 1 still to be judged" in text
    assert "1 practice task solved in the lessons" in text


def test_file_of_an_earlier_version_is_read(home):
    entry = {"version": 1, "tasks": {}, "races": {}, "guesses": {"where": 40.0}, "hints": {"double": 1}}
    (home / "progress.json").write_text(json.dumps(entry))
    progress_file.record_outcome("where", True)
    assert progress_file.read()["hints"] == {"double": 1} and progress_file.guess("where") == 40.0
    assert progress_file.read()["settled"] == {"where": True} and progress_file.read()["shares"] == {}


def test_hints_are_counted():
    assert [progress_file.record_hint("double"), progress_file.record_hint("double")] == [1, 2]


def test_best_share_of_a_challenge_is_stored_with_its_machine():
    progress_file.record_task("clip_into", 3, 3, 400.0)
    for share, machine in ((0.4, "a laptop"), (0.62, "Intel Xeon, 2 cores"), (0.5, "a laptop")):
        progress_file.record_share("clip_into", share, machine)
    entry = progress_file.read()["shares"]["clip_into"]
    assert entry == {"share": 0.62, "machine": "Intel Xeon, 2 cores", "date": progress_file.today()}
    assert "clip_into                62\xa0% of the limit on Intel Xeon, 2 cores" in str(progress())


def test_progress_describes_its_commands():
    assert course_utils.progress is progress
    assert repr(progress).startswith("progress() shows your progress")


def test_a_call_shows_points_and_best_speed_ups():
    progress_file.record_task("double", 2, 2, 31.4)
    progress_file.record_race("where", 4123.4, "cpu")
    text = str(progress())
    assert "2 of 2 points in 1 task tried" in text
    assert "31.4×" in text and "4,123× on cpu" in text


@pytest.mark.slow
def test_killed_writer_leaves_a_complete_file(home):
    before = 0
    for pause in (0.0, 0.003, 0.011, 0.023, 0.037, 0.05):
        process = writer(home, 1_000_000)
        assert process.stdout.readline() == "up\n"
        while progress_file.read()["hints"].get("double", 0) <= before:
            time.sleep(0.001)
        time.sleep(pause)
        os.kill(process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        process.wait()
        after = json.loads((home / "progress.json").read_text())["hints"]["double"]
        assert after > before
        assert progress_file.record_hint("double") == after + 1  # the dead writer's lock is gone
        before = after + 1


@pytest.mark.slow
def test_two_concurrent_notebooks_lose_nothing(home):
    processes = [writer(home, 60) for _ in range(2)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0]
    assert progress_file.read()["hints"] == {"double": 120}


@pytest.mark.parametrize("damaged", [
    '{"version": 1, "tasks": {"dou',
    '{"version": 1, "tasks": {"double": 3}, "races": {}, "guesses": {}, "hints": {}}',
    '{"version": 1, "tasks": {}, "races": {"where": {"ratio": 2}}, "guesses": {}, "hints": {}}',
    '{"version": 1, "tasks": {}, "races": {}, "guesses": {}, "hints": {}, "shares": {"clip_into": {"share": 1}}}',
])  # fmt: skip
def test_damaged_file_is_renamed_with_a_warning(home, damaged):
    (home / "progress.json").write_text(damaged)
    assert progress_file.read()["tasks"] == {}
    with pytest.warns(progress_file.ProgressWarning, match="damaged"):
        progress_file.record_hint("double")
    assert (home / "progress.damaged.json").read_text() == damaged
    assert progress_file.read()["hints"] == {"double": 1}


def test_disk_that_refuses_is_named_once_and_progress_stays_in_memory(home, monkeypatch):
    (home / "file").write_text("a file, where a folder would have to be")
    monkeypatch.setenv("UNLOOP_HOME", str(home / "file" / "folder"))
    with pytest.warns(progress_file.ProgressWarning, match="cannot be stored"):
        progress_file.record_task("double", 2, 2, 31.4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        progress_file.record_hint("double")
    assert progress_file.read()["tasks"]["double"]["points"] == 2
    assert progress_file.read()["hints"] == {"double": 1}


def test_temporary_disk_is_named_once(monkeypatch):
    monkeypatch.setenv("COLAB_RELEASE_TAG", "release")
    with pytest.warns(progress_file.ProgressWarning, match="Colab deletes"):
        progress_file.record_hint("double")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        progress_file.record_hint("double")


def test_export_is_json_for_a_teacher(home):
    progress_file.record_task("double", 2, 2, 31.4)
    progress_file.record_share("clip_into", 0.62, "a machine")
    target = progress.export(home / "mine.json")
    exported = json.loads(target.read_text())
    assert exported["tasks"]["double"]["points"] == 2
    assert exported["shares"]["clip_into"]["share"] == 0.62
    assert "exported" in exported


def test_failed_export_raises_one_sentence(home):
    with pytest.raises(ProgressError, match="choose a file in a folder"):
        progress.export(home / "nowhere" / "mine.json")


def test_reset_needs_confirmation():
    progress_file.record_hint("double")
    with pytest.raises(ProgressError, match="confirm=True"):
        progress.reset()
    assert progress_file.read()["hints"] == {"double": 1}
    progress.reset(confirm=True)
    assert progress_file.read()["hints"] == {}
