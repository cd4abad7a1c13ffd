"""Captures or silences what code prints, displays, logs and warns about, so that its caller decides what a learner
sees.
"""

from __future__ import annotations

import io
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from course_utils import frameworks
from course_utils.core.errors import summarize_error

MAX_LINES, MAX_CHARACTERS = 12, 1000
"""How much of a learner's own output is shown."""


class OutputCapture(io.TextIOBase):
    """A text stream that stores the beginning of what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self._beginning = ""
        self._truncated = False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        free = MAX_CHARACTERS - len(self._beginning)
        self._beginning += text[:free]
        self._truncated = self._truncated or len(text) > free
        return len(text)

    @property
    def text(self) -> str:
        """Return the beginning, and a remark if there was more."""
        lines = self._beginning.splitlines()
        truncated = self._truncated or len(lines) > MAX_LINES
        return "\n".join(lines[:MAX_LINES] + ["(There was more; the rest is cut.)"] * truncated)


@contextmanager
def drop_framework_logs() -> Iterator[None]:
    """Drop what frameworks log inside the block: they warn about frequent tracing, which every check causes.

    Their loggers write to the stderr that was in place at their import, so redirecting stderr does not reach them.
    """
    loggers = [logging.getLogger(each.logger_name) for each in frameworks.ALL if each.logger_name is not None]
    drop = lambda record: False
    for logger in loggers:
        logger.addFilter(drop)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(drop)


@contextmanager
def capture_displays(capture: OutputCapture) -> Iterator[None]:
    """In a notebook, write to ``capture`` as text what ``display`` would show inside the block."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        yield
        return
    from IPython.core.displaypub import CapturingDisplayPublisher

    publisher, shell.display_pub = shell.display_pub, CapturingDisplayPublisher()
    try:
        yield
    finally:
        outputs, shell.display_pub = shell.display_pub.outputs, publisher
        for output in outputs:
            capture.write(f"{output['data'].get('text/plain', '')}\n")


@contextmanager
def print_short_warnings() -> Iterator[None]:
    """Write each warning to stderr as ``UserWarning: its first line``, without file name and source line."""

    def show(message, category, filename, lineno, file=None, line=None) -> None:
        print(summarize_error(message), file=sys.stderr)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


@contextmanager
def silence_stderr() -> Iterator[None]:
    """Drop what compiled code writes to stderr inside the block; exceptions pass.

    TensorFlow prints lines at import that no log level silences, and older versions print more at their first XLA
    compilation. If the block imports a framework in a notebook, the framework is made to print such lines when the cell
    ends, and they are dropped.
    """
    before = frameworks.loaded()
    with _discard_stderr():
        yield
    for framework in frameworks.loaded():
        if framework not in before:
            _drop_startup_logs_after_cell(framework)


@contextmanager
def _discard_stderr() -> Iterator[None]:
    sys.stderr.flush()
    stderr, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(null)


def _drop_startup_logs_after_cell(framework: frameworks.Framework) -> None:
    """Drop the framework's startup logs when the cell ends, because the rest of the cell may still configure the
    framework."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return

    def drop(*_: object) -> None:
        shell.events.unregister("post_run_cell", drop)
        with _discard_stderr(), suppress(Exception):
            framework.write_startup_logs()

    shell.events.register("post_run_cell", drop)
