"""Recording goes on without limits, keeps what a lesson found when the next one breaks off, and starts no framework unasked."""

import dataclasses
import json

import numpy as np
import pytest

from course_utils import limits
from course_utils.core.errors import CourseError
from course_utils.frameworks import devices
from course_utils.races import lesson_runner, race, record_races, recordings


@pytest.fixture
def result():
    contenders = {"loop": lambda x: np.array([value * 2 for value in x]), "whole": lambda x: x * 2}
    return race("recorded", contenders, lambda size, device: (np.ones(size),), [8]).run(budget_s=0.05)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Folders for recordings and tables, and both frameworks installed."""
    for name in ("recordings", "benchmarks"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(devices, "installed", lambda: {"torch": "2.13.0", "tensorflow": "2.21.0"})
    monkeypatch.setattr(limits, "known", lambda device, threads=1: None)
    monkeypatch.setattr(limits, "measure", lambda device, frameworks: None)
    return tmp_path


def lesson(place, name, framework):
    path = place / name
    path.write_text(json.dumps({"cells": [], "metadata": {"unloop": {"framework": framework}}}))
    return path


def kept(place, chosen, told):
    return record_races.record_races(chosen, "cpu", 1.0, place / "recordings", place / "benchmarks", told.append)


def test_what_a_lesson_found_is_kept_before_the_next_one_begins(place, result, monkeypatch):
    first, second, third = (lesson(place, f"0{n}_lesson.ipynb", "none") for n in (1, 2, 3))
    seen = []

    def record(path, device, budget_s):
        seen.append(len(recordings.load(place / "recordings")))
        yield dataclasses.replace(result, race=path.name)
        if path == second:
            raise lesson_runner.LessonFailed("02_lesson.ipynb stopped on cpu: no more")
        if path == third:
            raise KeyboardInterrupt

    monkeypatch.setattr(lesson_runner, "record", record)
    told = []
    with pytest.raises(KeyboardInterrupt):
        kept(place, [first, second, third], told)
    assert seen == [0, 1, 2]
    assert len(recordings.load(place / "recordings")) == 3, "what an interrupted lesson had found is there, too"
    assert "02_lesson.ipynb stopped on cpu: no more" in told
    (table,) = (place / "benchmarks").iterdir()
    assert "| 03_lesson.ipynb |" in table.read_text()


@pytest.mark.parametrize(("failures", "told"), [(1, []), (2, ["The races go on without limits: too busy"])])
def test_limits_are_tried_twice_and_then_done_without(place, result, monkeypatch, failures, told):
    tries = []

    def measure(device, frameworks):
        tries.append(device)
        if len(tries) <= failures:
            raise CourseError("too busy")

    monkeypatch.setattr(limits, "measure", measure)
    monkeypatch.setattr(lesson_runner, "record", lambda path, device, budget_s: iter([result]))
    said = []
    assert kept(place, [lesson(place, "01_lesson.ipynb", "none")], said) == 1
    assert tries == ["cpu", "cpu"]
    assert said[:-1] == told


@pytest.mark.parametrize(
    ("frameworks", "measured"), [(["torch", "none"], ["torch"]), (["tensorflow", "torch"], ["tensorflow", "torch"])]
)
def test_limits_are_measured_with_the_frameworks_of_the_chosen_lessons(
    place, result, monkeypatch, frameworks, measured
):
    asked = []
    monkeypatch.setattr(limits, "measure", lambda device, frameworks: asked.append(frameworks))
    monkeypatch.setattr(lesson_runner, "record", lambda path, device, budget_s: iter([result]))
    chosen = [lesson(place, f"0{n}_lesson.ipynb", name) for n, name in enumerate(frameworks)]
    assert kept(place, chosen, []) == 2
    assert asked == [measured]


def test_a_lesson_whose_framework_is_missing_is_left_out_and_told(place, result, monkeypatch):
    monkeypatch.setattr(devices, "installed", lambda: {"torch": "2.13.0"})
    monkeypatch.setattr(lesson_runner, "record", lambda path, device, budget_s: iter([result]))
    told = []
    assert kept(place, [lesson(place, "11_lesson.ipynb", "tensorflow")], told) == 0
    assert told == ["11_lesson.ipynb was left out: tensorflow is not installed."]


@pytest.mark.process
def test_a_measurement_starts_only_the_frameworks_that_take_part(monkeypatch):
    from course_utils.limits import measuring

    started = []

    class Worker(measuring._Worker):
        def __init__(self, name, device, threads):
            started.append(name)
            super().__init__(name, device, threads)

    monkeypatch.setattr(measuring, "_Worker", Worker)
    with pytest.raises(limits.LimitsFailed):  # nothing that takes part has such a device
        limits.measure("tpu:0", frameworks=["torch"])
    assert started == ["torch"]
