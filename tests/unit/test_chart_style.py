"""Figures have one style, two renderings and readable colors."""

import io
import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.image import imread

from course_utils.ui.axes import new_figure, set_duration_ticks, set_size_ticks
from course_utils.ui.figure_export import MOST_PNG_BYTES, to_png, to_svg
from course_utils.ui.theme import SERIES, STYLE, text_color


@pytest.fixture
def figure():
    figure, axes = new_figure()
    axes.plot([1, 2], [1, 2], color=SERIES[1])
    axes.text(1, 1, "the loop", color=text_color(SERIES[1]))
    return figure


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """Return the ratio that WCAG 2 defines."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def css_colors(style, selector):
    rule = re.search(re.escape(selector) + r"{([^}]*)}", style)[1]
    return dict(re.findall(r"--unloop-([\w-]+):(#[0-9a-f]{6});", rule))


def test_svg_contains_text_and_alternative_text(figure):
    text = to_svg(figure, 'Time < "size"')
    assert ">the loop<" in text
    assert 'role="img" aria-label="Time &lt; &quot;size&quot;"' in text


def test_svg_takes_every_color_from_the_page(figure):
    drawing = to_svg(figure, "").split("</style>")[1]
    assert re.findall(r"#[0-9a-f]{6}", drawing) == []
    assert "var(--unloop-series-1)" in drawing and "var(--unloop-letter-1)" in drawing


def test_svg_fits_its_column_and_does_not_restyle_the_page(figure):
    drawing = to_svg(figure, "").split("</style>", 1)[1]
    root = ElementTree.fromstring(drawing)[0]
    assert "width" not in root.attrib and "viewBox" in root.attrib
    assert "<style" not in drawing


def test_png_has_a_light_card_at_twice_the_resolution(figure):
    pixels = imread(io.BytesIO(to_png(figure)))
    height, width, _ = pixels.shape
    assert (width, height) == (1267, 633)
    assert pixels[20, width // 2].tolist() == [1, 1, 1, 1]
    assert pixels[0, 0, 3] == 0


def test_png_has_few_colors_but_every_line_keeps_its_own():
    figure, axes = new_figure()
    for number, color in enumerate(SERIES):
        axes.plot([1, 2], [number, number + 1], color=color, linewidth=2)
    png = to_png(figure)
    pixels = (imread(io.BytesIO(png))[..., :3].reshape(-1, 3) * 255).round()
    colors = np.unique(pixels @ [1 << 16, 1 << 8, 1])
    assert len(png) < 15_000 and len(colors) <= 25
    pixels = np.stack([colors // (1 << 16), colors // (1 << 8) % 256, colors % 256], axis=1)
    for color in SERIES:
        wanted = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
        assert abs(pixels - wanted).max(1).min() <= 12


@pytest.mark.slow
def test_png_of_a_crowded_figure_has_fewer_pixels():
    figure, _ = new_figure()
    for row in range(6):
        figure.text(0.02, row / 6, f"{row} times {1234567 * row:,}, a crowded figure of many words and numbers " * 2)
    png = to_png(figure)
    assert len(png) <= MOST_PNG_BYTES
    assert imread(io.BytesIO(png)).shape[1] < 1267


def test_export_does_not_change_the_figure(figure):
    before = to_svg(figure, "").count("<path")
    to_png(figure)
    assert to_svg(figure, "").count("<path") == before


@pytest.mark.parametrize("number", range(len(SERIES)))
def test_text_in_series_colors_has_enough_contrast(number):
    light = css_colors(STYLE, ".unloop")
    dark = css_colors(STYLE, "body.vscode-dark .unloop")
    assert contrast(light[f"letter-{number}"], "#ffffff") >= 4.5
    assert contrast(dark[f"letter-{number}"], "#111111") >= 4.5
    assert contrast(dark[f"series-{number}"], "#111111") >= 3


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (2e-7, 3e-2, ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms"]),
        (1.5e-5, 6e-4, ["20 µs", "50 µs", "100 µs", "200 µs", "500 µs"]),
        (1e-9, 99.0, ["1 ns", "100 ns", "10 µs", "1 ms", "100 ms", "10 s"]),
    ],
)
def test_duration_ticks_are_few_and_round(low, high, labels):
    _, axes = new_figure()
    axes.set(yscale="log", ylim=(low, high))
    set_duration_ticks(axes.yaxis, low, high)
    assert [label.get_text() for label in axes.get_yticklabels()] == labels


def test_size_ticks_are_thinned_until_they_fit():
    figure, axes = new_figure()
    axes.set(xscale="log", xlim=(1, 2**40))
    set_size_ticks(axes.xaxis, [2**k for k in range(41)])
    figure.canvas.draw()
    boxes = sorted((label.get_window_extent() for label in axes.get_xticklabels()), key=lambda box: box.x0)
    assert axes.get_xticklabels()[0].get_text() == "1,099,511,627,776"
    assert len(boxes) > 5
    assert all(left.x1 < right.x0 for left, right in itertools.pairwise(boxes))
