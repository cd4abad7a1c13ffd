"""The base classes of every error and warning that a learner can see: one sentence, shown without a traceback."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import TracebackType

from course_utils.core.line_breaks import break_lines


class CourseError(Exception):
    """An error whose message is one sentence: the value at fault and the remedy.

    IPython calls ``_render_traceback_`` instead of printing frames, so a learner sees only that sentence.
    """

    def _render_traceback_(self) -> list[str]:
        return [break_lines(f"{type(self).__name__}: {self}")]


USER_CODE_ERRORS = Exception, SystemExit
"""What a learner's code may raise: ``sys.exit()`` in a contender ends only the contender."""


def summarize_error(error: BaseException) -> str:
    """Return the error's type and the first line of its message.

    >>> summarize_error(ValueError("bad shape\\nand more"))
    'ValueError: bad shape'
    """
    message = (str(error).strip().splitlines() or ["no message"])[0]
    return f"{type(error).__name__}: {message}"


_COURSE = str(Path(__file__).parents[1])


def strip_course_frames(error: BaseException) -> None:
    """Remove the course's own frames from a traceback, so that a learner sees only their own lines.

    Follow it with a bare ``raise``, which adds no frame. On Python 3.10 the frame of the caller stays.
    """
    first = trace = error.__traceback__
    own: list[TracebackType] = []
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_COURSE):
            own.append(trace)
        trace = trace.tb_next
    if first is None or not own:
        return
    for each, following in zip(own, [*own[1:], None]):
        each.tb_next = following
    if own[0] is not first:
        first.tb_next = own[0]  # A bare ``raise`` of Python 3.10 restores the traceback that begins with ``first``.
        error.__traceback__ = own[0]


class CourseWarning(UserWarning):
    """A warning for a learner; after ``format_course_warnings`` only its sentence is shown."""


def format_course_warnings() -> None:
    """From now on, show the course's warnings without file name and source line.

    Python calls ``warnings.formatwarning`` for the text of every warning; other warnings keep the format they had.
    """
    format_others = warnings.formatwarning

    def format_warning(message, category, filename, lineno, line=None) -> str:
        if issubclass(category, CourseWarning):
            return f"{message}\n"
        return format_others(message, category, filename, lineno, line)

    warnings.formatwarning = format_warning
