"""What can be wrong with a task that is asked for, or written: one sentence each. Nothing here looks for the fault."""

from course_utils.core.errors import CourseError


class TaskMissing(CourseError):
    """No task, or no lesson, has that name; the message offers near ones."""


class FrameworkMissing(CourseError):
    """The task's framework is not installed here."""


class TaskInvalid(CourseError):
    """An author wrote a task that cannot be one; the message names the task or the file, the value and the remedy."""
