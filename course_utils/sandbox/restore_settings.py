"""Restores what running code changes globally: random generators, frameworks' settings, handlers of the root logger."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager

from course_utils import frameworks


@contextmanager
def restore_settings(with_numpy: bool = True) -> Iterator[None]:
    """Restore random generators, frameworks' settings and the root logger's handlers when the block ends.

    Args:
        with_numpy: whether NumPy's global generator is restored, which takes as long as all the others.
    """
    python_state, handlers = random.getstate(), list(logging.root.handlers)
    restored = (*([frameworks.NO_FRAMEWORK] if with_numpy else []), *frameworks.loaded())
    restore_frameworks = [framework.snapshot_state() for framework in restored]
    try:
        yield
    finally:
        random.setstate(python_state)
        # The first `logging.warning` adds a handler that writes to the redirected stderr.
        logging.root.handlers[:] = handlers
        for restore in restore_frameworks:
            restore()
