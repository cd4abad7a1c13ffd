"""Numbers in sentences: plurals, units, and as many digits as a reader needs."""

import json
import re
from pathlib import Path

import pytest

from course_utils.core.wording import (
    count_times,
    format_bytes,
    format_duration,
    format_pair,
    format_percent,
    format_ratio,
    format_rough_ratio,
    format_short_ratio,
    pluralize,
    significant,
)


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1 point"), (0, "0 points"), (1200, "1,200 points"), (0.5, "0.5 points"), (2.0, "2 points")],
)
def test_a_noun_agrees_with_its_number(number, text):
    assert pluralize(number, "point") == text


def test_one_time_reads_once():
    assert (count_times(1), count_times(3)) == ("once", "3 times")


@pytest.mark.parametrize(
    ("value", "text"), [(412.4, "412"), (1250.0, "1,250"), (0.5834, "0.583"), (9.999, "10.0"), (1.0, "1.00")]
)
def test_figures_have_three_significant_digits(value, text):
    assert significant(value) == text


@pytest.mark.parametrize(
    ("ratio", "measured", "guessed"), [(412.3, "412×", "410×"), (50.0, "50.0×", "50×"), (0.42, "0.420×", "0.42×")]
)
def test_measured_ratios_have_three_digits_and_guessed_ones_two(ratio, measured, guessed):
    assert format_ratio(ratio) == measured
    assert format_rough_ratio(ratio) == guessed


@pytest.mark.parametrize(
    ("ratio", "text"), [(4123.4, "4,123×"), (999.7, "1,000×"), (31.42, "31.4×"), (2.0, "2×"), (0.42, "0.42×")]
)
def test_short_ratios_have_no_trailing_zeros(ratio, text):
    assert format_short_ratio(ratio) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(4.12e-7, "412 ns"), (1.23e-5, "12.3 µs"), (1.5e-3, "1.50 ms"), (2, "2.00 s"), (0.9999, "1.00 s")],
)
def test_durations_have_a_suitable_unit(seconds, text):
    assert format_duration(seconds) == text


@pytest.mark.parametrize(("share", "text"), [(0.61, "61 %"), (0.0038, "0.38 %"), (1.0, "100 %"), (0.0996, "10 %")])
def test_shares_are_percentages(share, text):
    assert format_percent(share).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(("size", "text"), [(2**16, "64 KB"), (2**24, "16 MB"), (2**30, "1 GB"), (120, "120 bytes")])
def test_sizes_use_the_largest_unit_that_fits(size, text):
    assert format_bytes(size) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (2_030_043_456, "1.9 GB"),
        (2**20 + 40, "1 MB"),
        (2**20 - 1, "1 MB"),
        (10 * 2**20 - 1, "10 MB"),
        (33_600_000, "32 MB"),
        (2**40, "1,024 GB"),
        (1, "1 byte"),
    ],
)
def test_sizes_have_one_decimal_below_ten(size, text):
    assert format_bytes(size) == text


def test_megabytes_are_binary_everywhere():
    root = Path(__file__).resolve().parents[2]
    texts = {
        path: path.read_text(encoding="utf-8")
        for folder in ("course_utils", "benchmarks")
        for path in root.glob(f"{folder}/**/*.py")
    }
    for path in root.glob("notebooks/*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts[path] = "\n".join("".join(cell["source"]) for cell in cells)
    decimal = re.compile(r"1e[369][^\n]{0,12}\} ?[KMG]B(?!/)|[KMG]iB\b")
    assert not [(path.name, match[0]) for path, text in texts.items() if (match := decimal.search(text))]


@pytest.mark.parametrize(
    ("expected", "given", "text"),
    [
        (1.0, 2.0, ("1", "2")),
        (1.5, 2.0, ("1.5", "2.0")),
        (2.0, 1.998, ("2.000", "1.998")),
        (2.0, float("nan"), ("2", "nan")),
        (0.0, float("-inf"), ("0", "-inf")),
        (3e38, 1e-9, ("3.000e+38", "1.000e-09")),
        (1000.0, 2000.0, ("1000", "2000")),
        (10, 20, ("10", "20")),
        (3, 3.0000002, ("3", "3.0000002")),
        (845333.25, 845333, ("845333.2", "845333")),
        (10**400, 10**400 + 1, (f"{10**400}", f"{10**400 + 1}")),
        (1.0, 1.0 + 2**-52, ("1.0000000000000000", "1.0000000000000002")),
    ],
)
def test_both_numbers_of_a_pair_have_equally_many_digits(expected, given, text):
    assert format_pair(expected, given) == text
