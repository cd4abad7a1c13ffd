"""A learner's function against its ``Task``: correct, unlooped, fast.

``entry`` holds the words for a lesson, ``judging`` the judging that a grader shares. In the learner's own kernel a check is
advice: honest, friendly, and not fooled by accident or by a one-liner. Where marks count, ``grading`` has the last word.
"""

from course_utils.checking.entry import CheckError, check, hint, next_hint, task
from course_utils.checking.judging import judge
from course_utils.checking.verdict import Line, TaskFailed, Verdict

__all__ = ["CheckError", "Line", "TaskFailed", "Verdict", "check", "hint", "judge", "next_hint", "task"]
