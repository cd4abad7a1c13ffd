"""The check tells the truth: right answers pass, wrong ones are refused where they are wrong, mistakes are named."""

import functools
from pathlib import Path

import pytest

import answers
from course_utils import frameworks, tasks
from course_utils.core.processes import ChildProcess, ChildProcessFailed
from course_utils.races import lesson_runner

pytestmark = pytest.mark.process

TESTS = Path(__file__).resolve().parents[1]

# Processes for the answers of one framework: its import takes as long as the checks of a small lesson.
PARTS = {"torch": 5, "tensorflow": 3}


@functools.cache
def framework_of(lesson):
    return lesson_runner.lesson_framework(TESTS.parent / "notebooks" / f"{lesson}.ipynb")


def tasks_of(framework):
    """Its tasks, lesson by lesson."""
    return [task for lesson, ids in answers.lessons().items() if framework_of(lesson) == framework for task in ids]


class HeldAgainstTheTable:
    """Tasks of one framework, whose answers are checked in one process of their own."""

    framework: str
    tasks: list[str]

    def test_the_check_does_with_every_answer_what_the_table_says(self):
        if self.framework not in frameworks.installed_versions():
            pytest.skip(f"{self.framework} is not installed")
        arguments = ["-m", "answers", *(word for task in self.tasks for word in ("--task", task))]
        found, failure = [], ""
        with ChildProcess(arguments, environment={"PYTHONPATH": str(TESTS)}) as child:
            try:
                found.extend(child.answers())
            except ChildProcessFailed as failed:
                failure = failed.stderr
        told = [f"{each['answer']}: {complaint}" for each in found for complaint in each["complaints"]]
        assert not told, "\n".join(told)
        assert not failure
        assert {each["task"] for each in found} == set(self.tasks)


def test_every_task_is_held_against_the_table():
    every = {task for lesson in answers.lessons().values() for task in lesson}
    assert {task for framework in PARTS for task in tasks_of(framework)} == every >= set(tasks.names())


# A class each: what a process takes over is a class, so that they run side by side. Dealt out, the tasks of a lesson that
# takes long are not all in one.
for framework, parts in PARTS.items():
    for part in range(parts):
        title = f"TestAnswers{framework.title()}Part{part + 1}"
        dealt = {"framework": framework, "tasks": tasks_of(framework)[part::parts]}
        globals()[title] = type(title, (HeldAgainstTheTable,), dealt)
