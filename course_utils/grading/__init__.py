"""Grades a class's submissions: a learner's code runs in a caged child, and the parent judges what comes back.

The parent never runs a learner's code. It holds tasks, seeds, inputs, oracle, clock, counts and marks; a child holds one
answer and nothing worth stealing. Data travel as JSON and raw bytes, and no sentence of a child is believed.
"""

from course_utils.grading.grade_submission import Zygotes, grade
from course_utils.grading.mark import TaskMark
from course_utils.grading.submission import AnswerCell, Submission

__all__ = ["AnswerCell", "Submission", "TaskMark", "Zygotes", "grade"]
