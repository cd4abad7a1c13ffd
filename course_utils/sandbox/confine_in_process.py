"""Runs a learner's function without side effects: limited time and memory, captured output, restored random state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any

from course_utils.core.wording import GIB
from course_utils.sandbox.memory_limits import memory_limit
from course_utils.sandbox.output import OutputCapture, capture_displays, print_short_warnings
from course_utils.sandbox.restore_settings import restore_settings
from course_utils.sandbox.time_limits import time_limit

ANSWER_MEMORY_BYTES = 2 * GIB
"""Bytes that an answer may allocate in addition to the kernel's own: no exercise needs a tenth of it."""


@contextmanager
def confine(
    seconds: float, stdout: OutputCapture | None = None, stderr: OutputCapture | None = None, with_numpy: bool = True
) -> Iterator[dict[str, Any]]:
    """Confine the block; it raises ``TimeLimitReached`` in the block after ``seconds`` of work.

    Yields the settings that the block left changed, as ``restore_settings`` does.

    Args:
        seconds: how long the block may work, as ``time_limits.WorkTimer`` measures it.
        stdout: captures what the block prints and, as text, what it displays.
        stderr: captures its warnings, one per line, and what it writes to stderr.
        with_numpy: see ``restore_settings``.
    """
    stdout = stdout or OutputCapture()
    with ExitStack() as stack:
        changed = stack.enter_context(restore_settings(with_numpy))
        stack.enter_context(memory_limit(ANSWER_MEMORY_BYTES))
        stack.enter_context(capture_displays(stdout))
        stack.enter_context(redirect_stdout(stdout))
        stack.enter_context(redirect_stderr(stderr or OutputCapture()))
        stack.enter_context(print_short_warnings())
        stack.enter_context(time_limit(seconds))
        yield changed
