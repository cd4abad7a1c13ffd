"""Restores what running code changes globally: random generators, frameworks' settings, handlers of the root logger."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from course_utils import frameworks


@contextmanager
def restore_settings(with_numpy: bool = True) -> Iterator[dict[str, Any]]:
    """Restore random generators, settings and the root logger's handlers when the block ends.

    Yields a dict which then contains the settings that the block left changed: ``{"torch.is_grad_enabled()": False}``.

    Args:
        with_numpy: whether NumPy's global generator is restored, which takes as long as all the others.
    """
    python_state, handlers = random.getstate(), list(logging.root.handlers)
    python = frameworks.NO_FRAMEWORK
    restorers = [
        python.snapshot_state() if with_numpy else python.snapshot_settings(),
        *(framework.snapshot_state() for framework in frameworks.loaded()),
    ]
    changed: dict[str, Any] = {}
    try:
        yield changed
    finally:
        random.setstate(python_state)
        # The first `logging.warning` adds a handler that writes to the redirected stderr.
        logging.root.handlers[:] = handlers
        for restore in restorers:
            changed.update(restore())
