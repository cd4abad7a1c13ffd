"""``join``: joins the class board, and offers a learner the two flags *I need help* and *I am done*."""

from __future__ import annotations

from functools import partial
from typing import Any

from course_utils.board import client
from course_utils.ui.page_output import publish

_FLAGS = {"help": "I need help", "done": "I am done"}


def join(address: str, name: str) -> None:
    """Join a class board, and show the flags; see ``board.client.join``."""
    import ipywidgets as widgets

    client.join(address, name)
    buttons = []
    for kind, label in _FLAGS.items():
        button = widgets.ToggleButton(description=label)
        button.observe(partial(_raise_flag, kind), "value")
        buttons.append(button)
    publish(widgets.HBox(buttons), f"Flags: {', '.join(_FLAGS.values())}")


def _raise_flag(kind: str, change: dict[str, Any]) -> None:
    client.raise_flag(kind, bool(change["new"]))
