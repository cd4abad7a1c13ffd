"""The check tells the truth: right answers pass, wrong ones are refused where they are wrong, mistakes get their names."""

import pytest
from answers import TABLE, complaint
from answers.table import Answer

from course_utils import tasks

MISTAKES = [
    Answer(task.id, mistake.name, mistake.wrong, "correct", mistake.name)
    for task in map(tasks.load, tasks.names())
    for mistake in task.mistakes
]


@pytest.mark.parametrize("answer", [each for each in TABLE if each.right], ids=str)
def test_a_right_answer_passes(answer):
    assert complaint(answer) is None


@pytest.mark.parametrize("answer", [each for each in TABLE if not each.right], ids=str)
def test_a_wrong_answer_is_refused_where_it_is_wrong(answer):
    assert complaint(answer) is None


@pytest.mark.parametrize("answer", MISTAKES, ids=str)
def test_a_usual_mistake_is_called_by_its_name(answer):
    assert complaint(answer) is None


@pytest.mark.parametrize("task_id", tasks.names())
def test_every_task_has_two_right_answers_and_six_wrong_ones(task_id):
    answers = [each for each in TABLE if each.task == task_id]
    assert sum(each.right for each in answers) >= 2
    assert sum(not each.right for each in answers) >= 6


@pytest.mark.parametrize("task_id", tasks.names())
def test_every_task_says_what_a_learner_needs(task_id):
    task = tasks.load(task_id)
    assert task.points > 0
    assert task.lesson == tasks.lesson_of(task_id)
    assert f"`{task_id}(" in task.story and task.counts.startswith("- ")
    assert len(task.hints) == 3
    assert task.slow.__doc__
