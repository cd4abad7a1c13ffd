"""The errors of loading a task: no such task, no framework, an invalid specification."""

from course_utils.core.errors import CourseError


class TaskMissing(CourseError):
    """No task or no lesson has this name; the message offers similar ones."""


class FrameworkMissing(CourseError):
    """The task's framework is not installed here."""


class TaskInvalid(CourseError):
    """The specification of a task is invalid; the message names the task or the file, the value and the remedy."""
