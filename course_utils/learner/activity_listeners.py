"""Announces what a learner does to the listeners in this kernel: a class board, once the learner has joined one."""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[str, str, "float | str | bool"], None]
"""Takes the kind of an event, the name of its prediction, race or task, and its value."""

listeners: list[Listener] = []


def announce(kind: str, about: str, value: float | str | bool) -> None:
    """Call each listener with the kind of the event, what it is about, and its value."""
    for listener in listeners:
        listener(kind, about, value)
