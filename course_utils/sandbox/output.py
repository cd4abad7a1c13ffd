"""Holds back what code prints, displays and warns of, so that a check decides what comes to the page."""

from __future__ import annotations

import io
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from course_utils import frameworks
from course_utils.core.errors import summarize_error

LINES_SHOWN, CHARACTERS_SHOWN = 12, 1000
"""How much of a learner's own prints is shown."""


class Prints(io.TextIOBase):
    """Takes what is printed and keeps the beginning."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = ""
        self._dropped = False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        room = CHARACTERS_SHOWN - len(self._kept)
        self._kept += text[:room]
        self._dropped = self._dropped or len(text) > room
        return len(text)

    @property
    def text(self) -> str:
        """What to show: the beginning, and a sentence where there was more."""
        lines = self._kept.splitlines()
        cut = self._dropped or len(lines) > LINES_SHOWN
        return "\n".join(lines[:LINES_SHOWN] + ["(There was more; the rest is cut.)"] * cut)


@contextmanager
def remarks_dropped() -> Iterator[None]:
    """Keep off the page what frameworks remark on functions that are traced often: slow loops and answers alike are.

    Their loggers hold on to the stderr that they met at import, so redirecting stderr does not reach them.
    """
    loggers = [logging.getLogger(each.logger) for each in frameworks.ALL if each.logger is not None]
    drop = lambda record: False
    for logger in loggers:
        logger.addFilter(drop)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(drop)


@contextmanager
def displays_printed(prints: Prints) -> Iterator[None]:
    """In a notebook, what ``display`` would put on the page goes to ``prints``."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        yield
        return
    from IPython.core.displaypub import CapturingDisplayPublisher

    page, shell.display_pub = shell.display_pub, CapturingDisplayPublisher()
    try:
        yield
    finally:
        displayed, shell.display_pub = shell.display_pub.outputs, page
        for one in displayed:
            prints.write(f"{one['data'].get('text/plain', '')}\n")


@contextmanager
def short_warnings() -> Iterator[None]:
    """Write a warning to stderr as ``UserWarning: its first line``, without the file and the line of code that gave it."""

    def told(message, category, filename, lineno, file=None, line=None) -> None:
        print(summarize_error(message), file=sys.stderr)

    with warnings.catch_warnings():
        warnings.showwarning = told
        yield


@contextmanager
def silence_stderr() -> Iterator[None]:
    """Drop what compiled code writes to stderr inside the block; exceptions still get through.

    TensorFlow greets at import with lines that no log level silences.
    """
    sys.stderr.flush()
    kept, sink = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(sink)


@contextmanager
def said(sentence: str) -> Iterator[None]:
    """In a notebook, show a sentence for as long as the block lasts. It is HTML alone, which no comparison of outputs sees."""
    if "IPython" not in sys.modules or sys.modules["IPython"].get_ipython() is None:
        yield
        return
    from IPython.display import display

    handle = display({"text/html": f"<p>{sentence}</p>"}, raw=True, display_id=True)
    try:
        yield
    finally:
        handle.update({"text/html": ""}, raw=True)
