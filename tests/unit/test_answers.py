"""The check tells the truth: right answers pass, wrong ones are refused where they are wrong, mistakes are named."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from course_utils import tasks
from course_utils.frameworks import devices
from course_utils.races import lessons

pytestmark = pytest.mark.process

TESTS = Path(__file__).resolve().parents[1]
LESSONS = tasks.lessons()


def framework_of(lesson):
    return lessons.framework_of(TESTS.parent / "notebooks" / f"{lesson}.ipynb")


class TestTorch:
    @pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if framework_of(lesson) != "tensorflow"])
    def test_the_check_does_with_every_answer_what_the_table_says(self, lesson):
        hold_against_the_table(lesson)


class TestTensorflow:  # a scope of its own, so that the two long halves run side by side
    @pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if framework_of(lesson) == "tensorflow"])
    def test_the_check_does_with_every_answer_what_the_table_says(self, lesson):
        hold_against_the_table(lesson)


def hold_against_the_table(lesson):
    framework = framework_of(lesson)
    if framework not in {None, *devices.installed()}:
        pytest.skip(f"{framework} is not installed")
    done = subprocess.run(  # a process of its own: a lesson is checked in one framework only
        [sys.executable, "-m", "answers", lesson],
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    told = [f"{each['answer']}: {complaint}" for each in found for complaint in each["complaints"]]
    assert not told, "\n".join(told)
    kinds = Counter((each["task"], each["right"]) for each in found)
    for task_id in tasks.ids(lesson):
        assert kinds[task_id, True] >= 2, f"{task_id} needs two right answers in the table"
        assert kinds[task_id, False] >= 6, f"{task_id} needs six wrong answers in the table"
