"""Runs a learner's function so that it can do no harm: stopped when it never returns, refused memory without end, its
prints held back, everybody's random numbers put back. It does not judge what the function returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout

from course_utils.sandbox import memory
from course_utils.sandbox.output import Prints, displays_printed, short_warnings
from course_utils.sandbox.settings import settings_kept
from course_utils.sandbox.time_limits import time_limit

MEMORY_ALLOWED = 2 * 2**30
"""Bytes that an answer may take on top of what the kernel holds: no exercise needs a tenth of it."""


@contextmanager
def guarded(seconds: float, prints: Prints | None = None, remarks: Prints | None = None) -> Iterator[None]:
    """Guard the block; raises ``Stopped`` inside it after ``seconds``.

    Args:
        seconds: how long the block may work, see ``time_limits.Effort``.
        prints: takes what the block writes to stdout, and what it displays, as text.
        remarks: takes its warnings, one a line, and what it writes to stderr.
    """
    prints = prints or Prints()
    with ExitStack() as guards:
        guards.enter_context(settings_kept())
        guards.enter_context(memory.limited(MEMORY_ALLOWED))
        guards.enter_context(displays_printed(prints))
        guards.enter_context(redirect_stdout(prints))
        guards.enter_context(redirect_stderr(remarks or Prints()))
        guards.enter_context(short_warnings())
        guards.enter_context(time_limit(seconds))
        yield
