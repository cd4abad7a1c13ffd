"""Restores what running code changes globally: random generators, frameworks' settings, handlers of the root logger."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager

from course_utils import frameworks


@contextmanager
def restore_settings() -> Iterator[None]:
    """Restore random generators, frameworks' settings and the root logger's handlers when the block ends."""
    python_state, handlers = random.getstate(), list(logging.root.handlers)
    restore_frameworks = [framework.snapshot_state() for framework in (frameworks.NO_FRAMEWORK, *frameworks.loaded())]
    try:
        yield
    finally:
        random.setstate(python_state)
        # The first `logging.warning` adds a handler that writes to the stderr of that moment.
        logging.root.handlers[:] = handlers
        for restore in restore_frameworks:
            restore()
