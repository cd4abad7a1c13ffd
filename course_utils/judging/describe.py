"""How an input, a result and a learner's own error are put into a few short lines. It decides nothing."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.core.wording import pluralize
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_trees import dtype_name, to_numpy
from course_utils.judging import error_hints
from course_utils.judging.difference import Values

_SHOWN = 6
_SMALL = 12
_WIDTH = 84
_PAGE = 110  # characters: beyond that a page breaks a line anywhere
_NAME = len("expected")
_HARD_SPACE = "\0"
_DIGITS, _MOST_DIGITS = 4, 17


def end_sentence(phrase: str) -> str:
    """``phrase`` with a full stop, unless it ends in a mark of its own."""
    return phrase if phrase[-1] in ".?!" else f"{phrase}."


def wrap_message(message: str) -> str:
    """``message`` with its sentences broken between words, as notebooks break them anywhere; values and code stay whole."""
    return "\n".join(line if line.startswith("  ") else _filled(line) for line in message.splitlines())


def _filled(line: str) -> str:
    whole = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", _HARD_SPACE), line)
    return textwrap.fill(whole, _WIDTH, break_long_words=False).replace(_HARD_SPACE, " ")


def argument_names(function: Callable) -> list[str]:
    """The names of a function's arguments."""
    return list(inspect.signature(function).parameters)


def describe_inputs(slow: Callable, inputs: tuple) -> str:
    """For each argument that is no function its name, and its values where they are few: a line, or one for each row."""
    pairs = [(name, value) for name, value in zip(argument_names(slow), inputs) if not callable(value)]
    width = max([_NAME, *(len(name) for name, _ in pairs)])
    return "\n".join(f"  {name:<{width}}  {_in_rows(describe(value), width + 5)}" for name, value in pairs)


def _in_rows(told: str, indent: int) -> str:
    """A value with its rows below one another, ``indent`` from the left, where it is too long for one line."""
    return told if indent + len(told) <= _PAGE else told.replace("], [", f"],\n{' ' * indent}[")


def describe(value: Any) -> str:
    """A value in one short line: small tensors in full, large ones by shape and dtype."""
    if tensor_trees.is_tensor(value):
        shape = tuple(value.shape)
        if np.prod(shape, dtype=int) > _SMALL:
            return f"{dtype_name(value)}, shape {shape}"
        kind = f"  ({dtype_name(value)}{'' if len(shape) == 1 else f', shape {shape}'})"
        return _nested(to_numpy(value)) + kind
    if isinstance(value, (tuple, list)):
        return f"{pluralize(len(value), 'part')}: {', '.join(describe(part) for part in value[:2])}{', …' if len(value) > 2 else ''}"
    if isinstance(value, (int, float, complex, str, bool, type(None))):
        return repr(value)
    return getattr(value, "__name__", None) or f"a {type(value).__name__}"


def expected_and_given(values: Values) -> str:
    """The expected values above the given ones, at the first place where they differ, with a mark under wrong ones."""
    row: tuple[int, ...] = ()
    start = 0
    if values.wrong.ndim == 0:
        pairs = [(values.expected[()], values.given[()], True)]
    else:
        first = np.argwhere(values.wrong)[0]
        row, column = tuple(int(index) for index in first[:-1]), int(first[-1])
        start = max(0, min(column - 2, values.wrong.shape[-1] - _SHOWN))
        window: tuple[int | slice, ...] = (*row, slice(start, start + _SHOWN))
        pairs = list(zip(values.expected[window], values.given[window], values.wrong[window]))
    whole = values.wrong.size == len(pairs)
    place = "" if whole else f"  at [{', '.join([*map(str, row), f'{start}:{start + len(pairs)}'])}]"
    cells = [format_pair(*pair) for pair in pairs]
    widths = [max(map(len, cell)) for cell in cells]
    marks = ["^" * width if wrong else " " * width for width, (_, _, wrong) in zip(widths, pairs)]

    def line(name: str, texts: Any) -> str:
        return f"  {name:<{_NAME}}  " + "  ".join(f"{text:>{width}}" for text, width in zip(texts, widths))

    lines = [line("expected", [cell[0] for cell in cells]) + place, line("given", [cell[1] for cell in cells])]
    if not all(wrong for _, _, wrong in pairs):
        lines.append(line("", marks).rstrip())
    return "\n".join(lines)


def format_pair(expected: Any, given: Any, wrong: bool) -> tuple[str, str]:
    """Both numbers with equally many digits: four, or where they are wrong as many as it takes to see that they differ."""
    for digits in range(_DIGITS, _MOST_DIGITS + 1):
        texts = format_number(expected, digits, zeros=True), format_number(given, digits, zeros=True)
        if not wrong or texts[0] != texts[1]:
            break
    return _without_common_zeros(texts)


def format_number(value: Any, digits: int = _DIGITS, zeros: bool = False) -> str:
    """A number with so many significant digits; ``zeros`` keeps those at its end."""
    if isinstance(value, (float, np.floating, complex, np.complexfloating)):
        return f"{value:{'#' if zeros else ''}.{digits}g}"
    return str(value) if isinstance(value, (bool, np.bool_, int, np.integer)) else repr(value)


def describe_error(error: BaseException, function: Callable) -> str:
    """What a learner's function raised, and the line of theirs where it happened, as the rest of a sentence."""
    said = error_hints.main_line(error)
    what = end_sentence(type(error).__name__ + (f": {said}" if said else ""))
    refused = frameworks.explain_compiler_error(error)
    explained = refused or error_hints.hint_for(said)
    return f"{error_hints.own_line(error, function) or 'it'} raised {what}" + (f" {explained}" if explained else "")


def _without_common_zeros(texts: tuple[str, str]) -> tuple[str, str]:
    """Without the zeros at the end of both, which tell nothing: 2.500 and 3.000 become 2.5 and 3.0."""
    numbers = [text for text in texts if "n" not in text]  # neither nan nor inf
    zeros = [match[1] for match in (re.search(r"\.\d*?(0*)$", text) for text in numbers) if match]
    if len(zeros) < len(numbers):
        return texts
    common = min(map(len, zeros), default=0)
    one, other = (text if "n" in text else text[: len(text) - common] for text in texts)
    if all(text.endswith(".") for text in (one, other) if "n" not in text):
        return one.rstrip("."), other.rstrip(".")
    return one, other


def _nested(array: np.ndarray) -> str:
    if array.ndim == 0:
        return format_number(array[()])
    return f"[{', '.join(_nested(part) for part in array)}]"
