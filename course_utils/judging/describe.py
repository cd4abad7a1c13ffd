"""Describes inputs, results and a learner's own errors in a few short lines of a message."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.core.line_breaks import LONGEST_LINE, break_lines
from course_utils.core.wording import format_pair, pluralize
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_trees import dtype_name, to_numpy
from course_utils.judging import error_hints
from course_utils.judging.difference import WrongValues

_SHOWN = 6  # values shown of a row that has wrong values
_SMALL = 12  # A tensor of at most this many values is shown in full.
_WIDTH = 84
_NAME_WIDTH = len("expected")


def end_sentence(phrase: str) -> str:
    """Return ``phrase`` with a full stop, unless it ends in ``.``, ``?`` or ``!``."""
    return phrase if phrase[-1] in ".?!" else f"{phrase}."


def wrap_message(message: str) -> str:
    """Break a message's long sentences between words, because notebooks break lines anywhere; values and code stay whole."""
    return "\n".join(line if line.startswith("  ") else break_lines(line, _WIDTH) for line in message.splitlines())


@lru_cache(maxsize=64)  # A check asks for the same slow loop's names after each call.
def argument_names(function: Callable) -> tuple[str, ...]:
    """Return the names of a function's arguments."""
    return tuple(inspect.signature(function).parameters)


def describe_inputs(slow: Callable, inputs: tuple) -> str:
    """Return a line, or a line per row, for each argument that is not a function: the argument's name and, if there are few,
    its values.
    """
    pairs = [(name, value) for name, value in zip(argument_names(slow), inputs) if not callable(value)]
    width = max([_NAME_WIDTH, *(len(name) for name, _ in pairs)])
    return "\n".join(f"  {name:<{width}}  {_in_rows(describe(value), width + 5)}" for name, value in pairs)


def _in_rows(text: str, indent: int) -> str:
    """Return ``text`` with one row per line, each indented by ``indent``, if it is too long for one line."""
    if indent + len(text) <= LONGEST_LINE:
        return text
    margin, rows = " " * indent, text.replace("], [", "],\n[").splitlines()
    # Lines break at spaces. The NUL characters keep a dtype and its shape in parentheses on one line.
    rows = [re.sub(r"\(\w+, shape \([^()]*\)\)", lambda kind: kind[0].replace(" ", "\0"), row) for row in rows]
    lines = [line for row in rows for line in textwrap.wrap(row, LONGEST_LINE - indent)]
    return f"\n{margin}".join(lines).replace("\0", " ")


def describe(value: Any) -> str:
    """Return a value in one short line: small tensors in full, large ones by shape and dtype."""
    if tensor_trees.is_tensor(value):
        shape = tuple(value.shape)
        if not is_shown(value):
            return f"{dtype_name(value)}, shape {shape}"
        kind = f"  ({dtype_name(value)}{'' if len(shape) == 1 else f', shape {shape}'})"
        return _nested_values(to_numpy(value)) + kind
    if _is_plain(value):
        return _first_items(value)
    if isinstance(value, (tuple, list)):
        parts = ", ".join(describe(part) for part in value[:2])
        return f"{pluralize(len(value), 'part')}: {parts}{', …' if len(value) > 2 else ''}"
    if isinstance(value, (int, float, complex, str, bool, type(None))):
        return repr(value)
    return getattr(value, "__name__", None) or f"a {type(value).__name__}"


def _is_plain(value: Any) -> bool:
    """Return whether a value is a list or a tuple of Python's own numbers and texts, or of such lists."""
    return isinstance(value, (tuple, list)) and all(
        _is_plain(part) or isinstance(part, (int, float, complex, str, bool, type(None))) for part in value
    )


def _first_items(items: Sequence[Any]) -> str:
    """Return a list as Python writes it; of a long one, the first items and their number: "[(0, 5), (1, 7), …]  (40
    items)".
    """
    if len(repr(items)) <= _WIDTH:
        return repr(items)
    shown = [repr(items[0])]
    for item in items[1:]:
        if len(", ".join([*shown, repr(item)])) > _WIDTH - len("[, …]  (1,000 items)"):
            break
        shown.append(repr(item))
    return f"[{', '.join(shown)}, …]  ({pluralize(len(items), 'item')})"


def is_shown(value: Any) -> bool:
    """Return whether ``describe`` shows all values of all tensors of an argument."""
    if isinstance(value, (tuple, list)):
        return len(value) <= 2 and all(map(is_shown, value))
    return all(np.prod(tuple(tensor.shape), dtype=int) <= _SMALL for tensor in tensor_trees.tensors(value))


def small_results(expected: Any, given: Any) -> str:
    """Return two lines with both results, which differ in shape or dtype, if both are small tensors; else ""."""
    if not all(tensor_trees.is_tensor(value) and _has_values(value) and is_shown(value) for value in (expected, given)):
        return ""
    return f"  {'expected':<{_NAME_WIDTH}}  {describe(expected)}\n  {'given':<{_NAME_WIDTH}}  {describe(given)}"


def _has_values(tensor: Any) -> bool:
    framework = frameworks.of(tensor)
    return not framework.has_no_values(tensor) and framework.why_unsupported(tensor, "") is None


def expected_and_given(values: WrongValues) -> str:
    """Return the expected values above the given ones, around the first wrong one, with marks under wrong ones."""
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
        return f"  {name:<{_NAME_WIDTH}}  " + "  ".join(f"{text:>{width}}" for text, width in zip(texts, widths))

    lines = [line("expected", [cell[0] for cell in cells]) + place, line("given", [cell[1] for cell in cells])]
    if not all(wrong for _, _, wrong in pairs):
        lines.append(line("", marks).rstrip())
    return "\n".join(lines)


def describe_error(error: BaseException, function: Callable) -> str:
    """Return what a learner's function raised, and at which of its lines, as the rest of a sentence."""
    message = error_hints.main_line(error)
    what = end_sentence(type(error).__name__ + (f": {message}" if message else ""))
    hint = frameworks.explain_compiler_error(error) or error_hints.hint_for(message, function)
    if isinstance(error, error_hints.ErrorElsewhere):
        hint = error.hint
    return f"{error_hints.own_line(error, function) or 'it'} raised {what}" + (f" {hint}" if hint else "")


def _nested_values(array: np.ndarray) -> str:
    if array.ndim == 0:
        # All digits are shown, so that a reader can compute the shown result from the shown input.
        return str(array[()]).removesuffix(".0")
    return f"[{', '.join(_nested_values(part) for part in array)}]"
