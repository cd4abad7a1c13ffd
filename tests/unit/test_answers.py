"""The check tells the truth: right answers pass, wrong ones are refused where they are wrong, mistakes are named."""

from pathlib import Path

import pytest

import answers
from course_utils.frameworks import devices
from course_utils.ground.processes import Child, ChildFailed
from course_utils.races import lessons

pytestmark = pytest.mark.process

TESTS = Path(__file__).resolve().parents[1]


def framework_of(lesson):
    return lessons.framework_of(TESTS.parent / "notebooks" / f"{lesson}.ipynb")


class HeldAgainstTheTable:
    """Tasks whose answers are checked in one process of their own: a lesson is checked in one framework only."""

    lesson: str
    tasks: tuple[str, ...]

    def test_the_check_does_with_every_answer_what_the_table_says(self):
        framework = framework_of(self.lesson)
        if framework not in {None, *devices.installed()}:
            pytest.skip(f"{framework} is not installed")
        arguments = ["-m", "answers", *(word for task in self.tasks for word in ("--task", task))]
        found, failure = [], ""
        with Child(arguments, environment={"PYTHONPATH": str(TESTS)}) as child:
            try:
                found.extend(child.answers())
            except ChildFailed as failed:
                failure = failed.said
        told = [f"{each['answer']}: {complaint}" for each in found for complaint in each["complaints"]]
        assert not told, "\n".join(told)
        assert not failure
        assert {each["task"] for each in found} == set(self.tasks)


def parts(lesson, tasks):
    """A lesson's tasks, in two parts where TensorFlow traces the slow loops: it takes its time."""
    middle = len(tasks) // 2 if framework_of(lesson) == "tensorflow" else 0
    return [part for part in (tasks[:middle], tasks[middle:]) if part]


# A class each: what a process takes over is a class, so that the long ones run side by side.
for name, ids in answers.lessons().items():
    for number, part in enumerate(parts(name, ids), 1):
        title = f"TestAnswers{name.title().replace('_', '')}Part{number}"
        globals()[title] = type(title, (HeldAgainstTheTable,), {"lesson": name, "tasks": part})
