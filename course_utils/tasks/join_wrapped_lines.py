"""Joins the lines of paragraphs and list items, so that long texts of a task fit the width of the source."""

from __future__ import annotations

import inspect


def prose(text: str) -> str:
    """Return ``text`` with each paragraph and each list item (``- …``) on a line of its own, without indentation.

    >>> prose('''
    ...     One sentence,
    ...     two lines.
    ... ''')
    'One sentence, two lines.'
    """
    lines: list[str] = []
    for line in inspect.cleandoc(text).splitlines():
        line = line.strip()
        if lines and lines[-1] and line and not line.startswith("- "):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def items(text: str) -> tuple[str, ...]:
    """Return the items of a list (``- …``), each as one line.

    >>> items('''
    ...     - A nudge.
    ...     - Nearly
    ...       the answer.
    ... ''')
    ('A nudge.', 'Nearly the answer.')
    """
    return tuple(line.removeprefix("- ") for line in prose(text).splitlines())
