"""Every right answer to a torch exercise is right on the GPU, and a whole check runs on a machine that has one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import answers
from course_utils import frameworks, tasks
from course_utils.frameworks import tensor_trees
from course_utils.judging import Answer, judge
from course_utils.races.lesson_runner import lesson_framework

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
LESSONS = [lesson for lesson in tasks.lessons() if lesson_framework(NOTEBOOKS / f"{lesson}.ipynb") != "tensorflow"]


def right_answers(task_id: str) -> list[Any]:
    return [answer.function for answer in answers.task_answers(task_id) if answer.right]


def can_move(inputs: tuple[Any, ...]) -> bool:
    """Return whether there are tensors, but no generator, which would draw other numbers on another device."""
    has_generator = any(frameworks.by_name("torch").is_generator(value) for value in inputs)
    return bool(tensor_trees.tensors(inputs)) and not has_generator


@pytest.mark.parametrize("task_id", [task_id for lesson in LESSONS for task_id in tasks.ids(lesson)])
def test_right_answers_are_right_on_the_gpu(device: str, task_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = frameworks.by_name("torch")
    used_devices: set[str] = set()
    to_device = torch.to_device

    def noting(value: Any, target: str) -> Any:
        used_devices.add(target)
        return to_device(value, target)

    monkeypatch.setattr(torch, "to_device", noting)
    # Of the three steps only the first one, correct, depends on the device.
    task = replace(tasks.load(task_id), level=1, limits=(), target=None, cost=None, ways={})
    for function in right_answers(task_id):
        verdict = judge(task, Answer(function, task))
        assert verdict.right, verdict.message
    assert (device in used_devices) == can_move(task.inputs(task.sizes[-1], np.random.default_rng(0)))


@pytest.mark.parametrize("lesson", LESSONS)
def test_whole_check_passes_a_right_answer(device: str, lesson: str) -> None:
    task = tasks.load(tasks.ids(lesson)[0])
    verdict = judge(task, Answer(right_answers(task.id)[0], task))
    assert verdict.right, verdict.message
