"""Recording saves after each lesson, works without limits, and starts only the frameworks that it needs."""

import dataclasses
import json

import numpy as np
import pytest

from course_utils import frameworks, limits
from course_utils.core.errors import CourseError
from course_utils.races import lesson_runner, race, record_races, recordings


@pytest.fixture
def result():
    contenders = {"loop": lambda x: np.array([value * 2 for value in x]), "whole": lambda x: x * 2}
    return race("recorded", contenders, lambda size, device: (np.ones(size),), [8]).run(budget_s=0.05)


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Provide folders for recordings and tables, and let both frameworks seem installed."""
    for name in ("recordings", "benchmarks"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(frameworks, "installed_versions", lambda: {"torch": "2.13.0", "tensorflow": "2.21.0"})
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads=1: None)
    monkeypatch.setattr(limits, "measure_peaks", lambda device, frameworks: None)
    return tmp_path


def lesson(root, name, framework):
    path = root / name
    path.write_text(json.dumps({"cells": [], "metadata": {"unloop": {"framework": framework}}}))
    return path


def record(root, lessons, reports):
    return record_races.record_races(lessons, "cpu", 1.0, root / "recordings", root / "benchmarks", reports.append)


def test_results_are_saved_after_each_lesson(root, result, monkeypatch):
    first, second, third = (lesson(root, f"0{n}_lesson.ipynb", "none") for n in (1, 2, 3))
    seen = []

    def run_lesson(path, device, budget_s):
        seen.append(len(recordings.load(root / "recordings")))
        yield dataclasses.replace(result, race=path.name)
        if path == second:
            raise lesson_runner.LessonFailed("02_lesson.ipynb stopped on cpu: no more")
        if path == third:
            raise KeyboardInterrupt

    monkeypatch.setattr(lesson_runner, "run_lesson", run_lesson)
    reports = []
    with pytest.raises(KeyboardInterrupt):
        record(root, [first, second, third], reports)
    assert seen == [0, 1, 2]
    assert len(recordings.load(root / "recordings")) == 3, "the results of an interrupted lesson are saved, too"
    assert "02_lesson.ipynb stopped on cpu: no more" in reports
    (table,) = (root / "benchmarks").iterdir()
    assert "| 03_lesson.ipynb |" in table.read_text()


@pytest.mark.parametrize(("failures", "expected"), [(1, []), (2, ["The races have no limits: too busy"])])
def test_limits_are_tried_twice(root, result, monkeypatch, failures, expected):
    tries = []

    def measure(device, frameworks):
        tries.append(device)
        if len(tries) <= failures:
            raise CourseError("too busy")

    monkeypatch.setattr(limits, "measure_peaks", measure)
    monkeypatch.setattr(lesson_runner, "run_lesson", lambda path, device, budget_s: iter([result]))
    reports = []
    assert record(root, [lesson(root, "01_lesson.ipynb", "none")], reports) == 1
    assert tries == ["cpu", "cpu"]
    assert reports[:-1] == expected


@pytest.mark.parametrize(
    ("frameworks", "measured"), [(["torch", "none"], ["torch"]), (["tensorflow", "torch"], ["tensorflow", "torch"])]
)
def test_limits_are_measured_with_the_frameworks_of_the_lessons(root, result, monkeypatch, frameworks, measured):
    calls = []
    monkeypatch.setattr(limits, "measure_peaks", lambda device, frameworks: calls.append(frameworks))
    monkeypatch.setattr(lesson_runner, "run_lesson", lambda path, device, budget_s: iter([result]))
    lessons = [lesson(root, f"0{n}_lesson.ipynb", name) for n, name in enumerate(frameworks)]
    assert record(root, lessons, []) == 2
    assert calls == [measured]


def test_lesson_without_its_framework_is_skipped_with_a_report(root, result, monkeypatch):
    monkeypatch.setattr(frameworks, "installed_versions", lambda: {"torch": "2.13.0"})
    monkeypatch.setattr(lesson_runner, "run_lesson", lambda path, device, budget_s: iter([result]))
    reports = []
    assert record(root, [lesson(root, "11_lesson.ipynb", "tensorflow")], reports) == 0
    assert reports == ["11_lesson.ipynb was skipped: tensorflow is not installed."]


@pytest.mark.slow
def test_measurement_starts_only_the_given_frameworks(monkeypatch):
    from course_utils.limits import measure as measure_module

    started = []

    class Worker(measure_module._Worker):
        def __init__(self, name, device, threads):
            started.append(name)
            super().__init__(name, device, threads)

    monkeypatch.setattr(measure_module, "_Worker", Worker)
    with pytest.raises(limits.LimitsWithoutDevice):  # PyTorch has no such device
        limits.measure_peaks("tpu:0", frameworks=["torch"])
    assert started == ["torch"]
