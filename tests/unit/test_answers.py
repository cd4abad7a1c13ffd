"""The check is right about every answer in the table: it accepts right ones and refuses wrong ones with the right
message.
"""

import functools
from pathlib import Path

import pytest

import answers
from course_utils import frameworks, tasks
from course_utils.core.processes import ChildProcess, ChildProcessFailed
from course_utils.frameworks import triton_internals
from course_utils.races import lesson_runner

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

TESTS = Path(__file__).resolve().parents[1]

# The number of processes per framework, whose import takes as long as the checks of a small lesson. The longest one starts
# first.
PARTS = {"tensorflow": 2, "torch": 4}


@functools.cache
def framework_of(lesson):
    return lesson_runner.lesson_framework(TESTS.parent / "notebooks" / f"{lesson}.ipynb")


def lessons_of(framework):
    """Return the ids of the tasks of each of the framework's lessons."""
    return [ids for lesson, ids in answers.lessons().items() if framework_of(lesson) == framework]


def can_be_judged(task):
    """Return whether the answers can run: kernels need Triton, and a version that the course can check."""
    if triton_internals.is_usable() or framework_of(tasks.lesson_of(task)) != "torch":
        return True
    return not tasks.load(task).runs_kernels


class CheckOfSomeTasks:
    """Tests of some tasks of one framework, all in one child process."""

    framework: str
    tasks: list[str]

    def test_check_gives_the_expected_verdicts(self):
        if self.framework not in frameworks.installed_versions():
            pytest.skip(f"{self.framework} is not installed")
        judged = [task for task in self.tasks if can_be_judged(task)]
        arguments = ["-m", "answers", *(word for task in judged for word in ("--task", task))]
        reports, failure = [], ""
        with ChildProcess(arguments, environment={"PYTHONPATH": str(TESTS)}) as child:
            try:
                reports.extend(child.answers())
            except ChildProcessFailed as failed:
                failure = failed.stderr
        complaints = [f"{each['answer']}: {complaint}" for each in reports for complaint in each["complaints"]]
        assert not complaints, "\n".join(complaints)
        assert not failure
        assert {each["task"] for each in reports} == set(judged)


def test_every_task_is_in_the_table():
    every = {task for lesson in answers.lessons().values() for task in lesson}
    assert {task for framework in PARTS for ids in lessons_of(framework) for task in ids} == every >= set(tasks.names())


# Test processes take over whole classes, so each part is a class. A lesson stays in one part, because the compiler or the
# interpreter that its tasks need takes seconds to start.
for framework, parts in PARTS.items():
    for part in range(parts):
        title = f"TestAnswers{framework.title()}Part{part + 1}"
        attributes = {
            "framework": framework,
            "tasks": [task for ids in lessons_of(framework)[part::parts] for task in ids],
        }
        globals()[title] = type(title, (CheckOfSomeTasks,), attributes)
