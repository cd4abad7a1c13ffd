"""Breaks long lines of printed text between words, because notebooks break them anywhere."""

from __future__ import annotations

import re
import textwrap

LONGEST_LINE = 100
"""Characters of a printed line; a page breaks a longer one anywhere."""

_HARD_SPACE = "\0"


def break_lines(text: str, width: int = LONGEST_LINE) -> str:
    """Return the text with long lines broken between words; code between backticks stays whole.

    The further lines of a list item are indented like its text.

    >>> print(break_lines("- Python waits for `x + y`, twice.", 24))
    - Python waits for
      `x + y`, twice.
    """
    return "\n".join(_break_line(line, width) for line in text.split("\n"))


def _break_line(line: str, width: int) -> str:
    whole = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", _HARD_SPACE), line)
    start = re.match(r" *(?:- )?", line)
    indent = " " * len(start[0] if start else "")
    broken = textwrap.fill(whole, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return broken.replace(_HARD_SPACE, " ")
