"""The first call of a function, in which a compiler works: how long it takes, told while it lasts."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS, CourseError, summarize_error
from course_utils.frameworks import devices
from course_utils.sandbox.time_limits import TimeLimitReached, time_limit
from course_utils.sandbox.wait_message import show_status

MOST_S = 90.0
"""Seconds that a compiler may take for one function before it is stopped."""


class CompileFailed(CourseError):
    """A function could not be compiled: the compiler refuses it, is not there, or takes too long."""


def first_call(function: Callable[..., Any], /, *args: Any, threads: int = 1) -> float:
    """Call ``function`` once, say that it compiles and for how long already, and return the seconds that the call took.

    Args:
        function: mostly a compiled one, such as ``torch.compile`` returns.
        args: what to call it with.
        threads: threads that an operation may use; compiled code is made for a number of threads, and races use 1.

    Raises:
        CompileFailed: with what the compiler says first, and what it means; and after ``MOST_S``.
        Exception: whatever else the code raises.
    """
    name = getattr(function, "__name__", type(function).__name__)
    with devices.threads(threads):
        return ready(lambda: function(*args), name)


def ready(call: Callable[[], Any], name: str) -> float:
    """Seconds of a call in which ``name`` may be compiled; see ``first_call``."""
    start = perf_counter()
    try:
        with show_status(f"{name} is called for the first time, and compiles.", count_seconds=True), time_limit(MOST_S):
            call()
    except TimeLimitReached:
        raise CompileFailed(
            f"{name} was stopped: its first call took more than {MOST_S:g} s. A compiler unrolls Python's loops: does one run "
            "over many values?"
        ) from None
    except USER_CODE_ERRORS as error:
        meant = frameworks.refusal(error)
        if not meant:
            raise
        raise CompileFailed(f"{name} could not be compiled. {meant} ({summarize_error(error)})") from None
    return perf_counter() - start
