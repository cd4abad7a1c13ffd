"""Puts back what running code leaves behind: the state of every random generator, frameworks' defaults, where logs go."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager

from course_utils import frameworks


@contextmanager
def settings_kept() -> Iterator[None]:
    """Put back the state of every random generator, frameworks' defaults and where logs go, as they were before the block."""
    python, handlers = random.getstate(), list(logging.root.handlers)
    states = [framework.state_kept() for framework in (frameworks.PLAIN, *frameworks.loaded())]
    try:
        yield
    finally:
        random.setstate(python)
        logging.root.handlers[:] = handlers  # the first `logging.warning` makes one, for the stderr of that moment
        for put_back in states:
            put_back()
