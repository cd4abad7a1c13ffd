"""How numbers read in a sentence: plurals, how often, ratios, shares, seconds, bytes. No figure is rounded anywhere else."""

from __future__ import annotations

import math

KIB, MIB, GIB = 2**10, 2**20, 2**30


def counted(number: float, noun: str) -> str:
    """How many of something there are.

    >>> counted(1, "point"), counted(1200, "byte")
    ('1 point', '1,200 bytes')
    """
    shown = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{shown} {noun}{'' if number == 1 else 's'}"


def how_often(number: int) -> str:
    """How often something happened: "once", "7 times"."""
    return "once" if number == 1 else f"{number} times"


def significant(value: float) -> str:
    """``value`` with three significant figures and thousands separators: 412, 1,250, 0.58."""
    if not math.isfinite(value) or value == 0:
        return str(value)
    rounded = float(f"{value:.2e}")
    digits = max(0, 2 - math.floor(math.log10(abs(rounded))))
    return f"{rounded:,.{digits}f}"


def multiple(ratio: float) -> str:
    """A measured ratio with three significant figures: "412×", "1.81×", "0.420×"."""
    return f"{significant(ratio)}×"


def plain_multiple(ratio: float) -> str:
    """A measured ratio in a list of results, without zeros at its end: "31.4×", "2×", "4,123×"."""
    return f"{ratio:,.3g}×" if ratio < 999.5 else f"{ratio:,.0f}×"


def about(ratio: float) -> str:
    """A guessed ratio with two significant figures and no more: "50×", "1.8×", "1,200×"."""
    return f"{float(f'{ratio:.2g}'):,.10g}×"


def percent(share: float) -> str:
    """A share as people read it, with two significant figures below ten per cent: "61 %", "0.38 %"."""
    return f"{share * 100:.0f}\N{NO-BREAK SPACE}%" if share >= 0.0995 else f"{share * 100:.2g}\N{NO-BREAK SPACE}%"


def duration(seconds: float) -> str:
    """Seconds in the unit that people read: "412 ns", "12.3 µs", "1.50 ms", "2.00 s"."""
    for factor, unit in ((1e9, "ns"), (1e6, "µs"), (1e3, "ms")):
        if seconds * factor < 999.5:
            return f"{significant(seconds * factor)} {unit}"
    return f"{significant(seconds)} s"


def round_duration(seconds: float) -> str:
    """Seconds that are round already, as at a tick of an axis: "1 ms", "100 ns"."""
    for unit, scale in (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 999 * scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds:,.0f} s"


def size_in_bytes(size: int) -> str:
    """A number of bytes as people read it, with one decimal below ten: "64 KB", "1.9 GB", "1 GB", "120 bytes"."""
    if size < KIB:
        return counted(size, "byte")
    for unit, scale in (("KB", KIB), ("MB", MIB), ("GB", GIB)):
        number = size / scale
        digits = 1 if number < 9.95 else 0
        shown = f"{number:,.{digits}f}".removesuffix(".0")
        if unit == "GB" or round(number) < KIB:
            break
    return f"{shown} {unit}"
