"""Formats numbers and lists for sentences: plurals, counts, ratios, percentages, durations, bytes. No other module rounds.

Everywhere in the course an amount of memory is binary, as operating systems show it: 1 KB is 1,024 bytes, 1 MB is 1,024
KB, and 1 GB is 1,024 MB. Rates are decimal: 1 GB/s is 10**9 bytes per second, and 1 GFLOP/s is 10**9 operations per
second.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from numbers import Complex, Integral, Rational
from typing import Any

KIB, MIB, GIB = 2**10, 2**20, 2**30
_DIGITS, _MOST_DIGITS = 4, 17


def pluralize(number: float, noun: str) -> str:
    """Return the number and its noun, singular or plural.

    >>> pluralize(1, "point"), pluralize(1200, "byte")
    ('1 point', '1,200 bytes')
    """
    shown = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{shown} {noun}{'' if number == 1 else 's'}"


def count_times(number: int) -> str:
    """Return the number of times that something happened: "once", "7 times"."""
    return "once" if number == 1 else f"{number} times"


def enumerate_words(words: Sequence[str]) -> str:
    """Return words as a sentence lists them.

    >>> enumerate_words(["a"]), enumerate_words(["a", "b"]), enumerate_words(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def significant(value: float) -> str:
    """Return ``value`` with three significant figures and thousands separators: 412, 1,250, 0.58."""
    if not math.isfinite(value) or value == 0:
        return str(value)
    rounded = float(f"{value:.2e}")
    digits = max(0, 2 - math.floor(math.log10(abs(rounded))))
    return f"{rounded:,.{digits}f}"


def format_ratio(ratio: float) -> str:
    """Return a measured ratio with three significant figures: "412×", "1.81×", "0.420×"."""
    return f"{significant(ratio)}×"


def format_short_ratio(ratio: float) -> str:
    """Return a measured ratio without trailing zeros, for lists of results: "31.4×", "2×", "4,123×"."""
    return f"{ratio:,.3g}×" if ratio < 999.5 else f"{ratio:,.0f}×"


def format_rough_ratio(ratio: float) -> str:
    """Return a guessed ratio with at most two significant figures: "50×", "1.8×", "1,200×"."""
    return f"{float(f'{ratio:.2g}'):,.10g}×"


def format_percent(share: float) -> str:
    """Return a share in percent, with two significant figures below 10 %: "61 %", "0.38 %"."""
    return f"{share * 100:.0f}\N{NO-BREAK SPACE}%" if share >= 0.0995 else f"{share * 100:.2g}\N{NO-BREAK SPACE}%"


def format_duration(seconds: float) -> str:
    """Return the seconds with three significant figures in a suitable unit: "412 ns", "12.3 µs", "1.50 ms", "2.00 s"."""
    for factor, unit in ((1e9, "ns"), (1e6, "µs"), (1e3, "ms")):
        if seconds * factor < 999.5:
            return f"{significant(seconds * factor)} {unit}"
    return f"{significant(seconds)} s"


def format_tick_duration(seconds: float) -> str:
    """Return the seconds without trailing zeros, for an axis's ticks, which are round: "1 ms", "100 ns"."""
    for unit, scale in (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 999 * scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds:,.0f} s"


def format_bytes(size: int) -> str:
    """Return a number of bytes in a suitable binary unit, with one decimal below ten: "64 KB", "1.9 GB", "120 bytes"."""
    if size < KIB:
        return pluralize(size, "byte")
    for unit, scale in (("KB", KIB), ("MB", MIB), ("GB", GIB)):
        number = size / scale
        digits = 1 if number < 9.95 else 0
        shown = f"{number:,.{digits}f}".removesuffix(".0")
        if unit == "GB" or round(number) < KIB:
            break
    return f"{shown} {unit}"


def format_pair(expected: Any, given: Any, wrong: bool = True) -> tuple[str, str]:
    """Return both numbers with equally many digits: four, or for wrong ones as many as it takes to see the difference.

    >>> format_pair(0.25, 0.5), format_pair(3, 3.0000002)
    (('0.25', '0.50'), ('3', '3.0000002'))
    """
    for digits in range(_DIGITS, _MOST_DIGITS + 1):
        texts = format_number(expected, digits, zeros=True), format_number(given, digits, zeros=True)
        if not wrong or not _read_alike(*(_rounded(value, digits) for value in (expected, given))):
            break
    return _without_common_zeros(texts)


def _rounded(value: Any, digits: int) -> str:
    """Return a number rounded to ``digits`` significant digits; an integer, too, so that it can be compared with a float."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        value = float(str(value))  # `float` of a huge integer raises an error
    return format_number(value, digits)


def _read_alike(one: str, other: str) -> bool:
    try:
        return complex(one) == complex(other)  # "3" and "3.000" read alike
    except ValueError:
        return one == other


def format_number(value: Any, digits: int = _DIGITS, zeros: bool = False) -> str:
    """Return a number with ``digits`` significant digits; ``zeros`` keeps zeros at its end."""
    if isinstance(value, Rational) and not isinstance(value, Integral):
        value = float(value)  # A fraction has no such format before Python 3.12.
    if isinstance(value, Complex) and not isinstance(value, Integral):
        return f"{value:{'#' if zeros else ''}.{digits}g}"
    return repr(value) if isinstance(value, (str, bytes)) else str(value)


def _without_common_zeros(texts: tuple[str, str]) -> tuple[str, str]:
    """Return both numbers without the zeros that both end in: 2.500 and 3.000 become 2.5 and 3.0."""
    numbers = [text for text in texts if "n" not in text]  # leaves out nan and inf
    zeros = [match[1] for match in (re.search(r"\.\d*?(0*)$", text) for text in numbers) if match]
    if len(zeros) < len(numbers):
        return texts
    common = min(map(len, zeros), default=0)
    one, other = (text if "n" in text else text[: len(text) - common] for text in texts)
    if all(text.endswith(".") for text in (one, other) if "n" not in text):
        return one.rstrip("."), other.rstrip(".")
    return one, other
