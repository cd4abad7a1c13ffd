"""The errors of loading a task: no task has the name, its framework is missing, or its specification is invalid."""

from course_utils.core.errors import CourseError


class TaskMissing(CourseError):
    """No task or no lesson has this name; the message offers similar ones."""


class FrameworkMissing(CourseError):
    """The task's framework is not installed here."""


class TaskInvalid(CourseError):
    """The specification of a task is invalid; the message names the task or the file, the value and the remedy."""
