"""How an input, a result and a learner's own error are put into a few short lines. It decides nothing."""

from __future__ import annotations

import inspect
import linecache
import textwrap
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from course_utils.agreement import dtype_name, to_numpy
from course_utils.checking import trees
from course_utils.checking.comparing import Values

_SHOWN = 6
_SMALL = 12
_WIDTH = 84


def sentence(phrase: str) -> str:
    """``phrase`` with a full stop, unless it ends in a mark of its own."""
    return phrase if phrase[-1] in ".?!" else f"{phrase}."


def wrapped(message: str) -> str:
    """``message`` with its sentences broken between words, as notebooks break them anywhere; values stay in their lines."""
    return "\n".join(line if line.startswith("  ") else textwrap.fill(line, _WIDTH) for line in message.splitlines())


def names(function: Callable) -> list[str]:
    """The names of a function's arguments."""
    return list(inspect.signature(function).parameters)


def describe_inputs(slow: Callable, inputs: tuple) -> str:
    """One line for each argument that is no function: its name, and its values where they are few."""
    pairs = [(name, value) for name, value in zip(names(slow), inputs) if not callable(value)]
    return "\n".join(f"  {name:<8}  {describe(value)}" for name, value in pairs)


def describe(value: Any) -> str:
    """A value in one short line: small tensors in full, large ones by shape and dtype."""
    if trees.is_tensor(value):
        shape = tuple(value.shape)
        if np.prod(shape, dtype=int) > _SMALL:
            return f"{dtype_name(value)}, shape {shape}"
        kind = f"  ({dtype_name(value)}{'' if len(shape) == 1 else f', shape {shape}'})"
        return _nested(to_numpy(value)) + kind
    if isinstance(value, (tuple, list)):
        return f"{len(value)} parts: {', '.join(describe(part) for part in value[:2])}{', …' if len(value) > 2 else ''}"
    if isinstance(value, (int, float, complex, str, bool, type(None))):
        return repr(value)
    return getattr(value, "__name__", None) or f"a {type(value).__name__}"


def beside(values: Values) -> str:
    """The expected values above the given ones, at the first place where they differ, with a mark under wrong ones."""
    if values.wrong.ndim == 0:
        row, start = (), None
        pairs = [(values.expected[()], values.given[()], True)]
    else:
        first = np.argwhere(values.wrong)[0]
        row, column = tuple(int(index) for index in first[:-1]), int(first[-1])
        start = max(0, min(column - 2, values.wrong.shape[-1] - _SHOWN))
        window = (*row, slice(start, start + _SHOWN))
        pairs = list(zip(values.expected[window], values.given[window], values.wrong[window]))
    whole = start is None or values.wrong.size == len(pairs)
    place = "" if whole else f"  at [{', '.join([*map(str, row), f'{start}:{start + len(pairs)}'])}]"
    cells = [number_pair(expected, given) for expected, given, _ in pairs]
    widths = [max(map(len, cell)) for cell in cells]
    marks = ["^" * width if wrong else " " * width for width, (_, _, wrong) in zip(widths, pairs)]

    def line(name: str, texts: Any) -> str:
        return f"  {name:<8}  " + "  ".join(f"{text:>{width}}" for text, width in zip(texts, widths))

    lines = [line("expected", [cell[0] for cell in cells]) + place, line("given", [cell[1] for cell in cells])]
    if not all(wrong for _, _, wrong in pairs):
        lines.append(line("", marks).rstrip())
    return "\n".join(lines)


def number_pair(expected: Any, given: Any) -> tuple[str, str]:
    """Both numbers, with as many digits as it takes to see that they differ."""
    for digits in (4, 7, 12, 17):
        texts = number(expected, digits), number(given, digits)
        if texts[0] != texts[1]:
            break
    return texts


def number(value: Any, digits: int = 4) -> str:
    """A number with so many significant digits."""
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(value)
    return (
        f"{value:.{digits}g}" if isinstance(value, (float, np.floating, complex, np.complexfloating)) else repr(value)
    )


def describe_error(error: BaseException, function: Callable) -> str:
    """What a learner's function raised, and the line of theirs where it happened, as the rest of a sentence."""
    said = str(error).strip().splitlines()
    what = type(error).__name__ + (f": {said[0]}" if said else "")
    code = getattr(inspect.unwrap(function), "__code__", None)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if code and frame.filename == code.co_filename]
    if not own:
        return f"it raised {sentence(what)}"
    source = linecache.getline(own[-1].filename, own[-1].lineno or 0).strip()
    line = f"line {own[-1].lineno}" + (f", `{source}`," if source else "")
    return f"{line} raised {sentence(what)}"


def _nested(array: np.ndarray) -> str:
    if array.ndim == 0:
        return number(array[()])
    return f"[{', '.join(_nested(part) for part in array)}]"
