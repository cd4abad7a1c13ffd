"""The bases of every error and every warning that a learner can meet: single sentences, shown without code around them.

They hold no policy; each floor derives its own from them.
"""

from __future__ import annotations

import warnings
from pathlib import Path


class CourseError(Exception):
    """A sentence that names the offending value and the remedy.

    IPython calls ``_render_traceback_`` instead of printing frames, so the sentence is all that a learner sees.
    """

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


ANYTHING = Exception, SystemExit
"""What a learner's code may raise: ``sys.exit()`` in a contender ends the contender, not the kernel or a race's thread."""


def first_line(error: BaseException) -> str:
    """What an error says, in one line: ``ValueError: the first line of its message``."""
    said = (str(error).strip().splitlines() or ["no message"])[0]
    return f"{type(error).__name__}: {said}"


_COURSE = str(Path(__file__).parents[1])


def leave_out_course_frames(error: BaseException) -> None:
    """Take the course's own frames off the top of a traceback: what a learner's code raised is told with their lines alone.

    To be followed by a bare ``raise``, which adds none.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_COURSE):
        trace = trace.tb_next
    if trace is not None:
        error.__traceback__ = trace


class CourseWarning(UserWarning):
    """A sentence that a learner should read; once ``warn_in_sentences`` was called, it is all that is shown."""


def warn_in_sentences() -> None:
    """From now on show the course's own warnings without the file and the line of code that gave them.

    Python asks ``warnings.formatwarning`` for every warning's text; all others keep the one that was there.
    """
    others = warnings.formatwarning

    def formatted(message, category, filename, lineno, line=None) -> str:
        if issubclass(category, CourseWarning):
            return f"{message}\n"
        return others(message, category, filename, lineno, line)

    warnings.formatwarning = formatted
