"""``first_call``: times the first call of a function, in which it is compiled, and leaves the seconds on the page."""

from __future__ import annotations

import html
from collections.abc import Callable
from time import perf_counter
from typing import Any

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS, CourseError, summarize_error
from course_utils.core.wording import format_duration
from course_utils.frameworks import across_frameworks
from course_utils.sandbox.time_limits import TimeLimitReached, time_limit
from course_utils.sandbox.wait_message import show_status

COMPILE_LIMIT_S = 90.0
"""Seconds after which the compilation of one function is stopped."""


class CompileFailed(CourseError):
    """A function could not be compiled: the compiler rejects it, is missing, or takes too long."""


def first_call(function: Callable[..., Any], /, *args: Any, threads: int = 1) -> float:
    """Return the seconds of one call of ``function``; a notebook counts them while it compiles, and then shows them.

    Args:
        function: a compiled function, as ``torch.compile`` returns it.
        args: its arguments.
        threads: how many threads an operation may use; code is compiled for a number of threads, and races use 1.

    Raises:
        CompileFailed: the compiler rejects the function (the message explains its first line), or takes longer than
            ``COMPILE_LIMIT_S``.
        Exception: the function itself raised it.
    """
    name = getattr(function, "__name__", type(function).__name__)
    with across_frameworks.threads(threads):
        return time_first_call(lambda: function(*args), name, leave_result=True)


def time_first_call(call: Callable[[], Any], name: str, leave_result: bool = False) -> float:
    """Return the seconds of ``call()``, in which the function ``name`` may be compiled; see ``first_call``.

    Args:
        leave_result: whether the seconds stay on the page.
    """
    start = perf_counter()
    try:
        with (
            show_status(f"The first call of {name} compiles it.", count_seconds=True) as leave,
            time_limit(COMPILE_LIMIT_S),
        ):
            call()
            seconds = perf_counter() - start
            if leave_result:
                leave(f"The first call of {html.escape(name)} took {format_duration(seconds)}.")
    except TimeLimitReached:
        raise CompileFailed(
            f"{name} was stopped: its first call took more than {COMPILE_LIMIT_S:g} s. A compiler unrolls Python "
            "loops: does the function loop over many values, or over steps that use the previous result several times? "
            "Compile a single step instead."
        ) from None
    except USER_CODE_ERRORS as error:
        explanation = frameworks.explain_compiler_error(error)
        if not explanation:
            raise
        raise CompileFailed(f"{name} could not be compiled. {explanation} ({summarize_error(error)})") from None
    return seconds
