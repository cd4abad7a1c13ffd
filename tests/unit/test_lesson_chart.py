"""A lesson's own chart is signed only if it was measured, and its texts are readable."""

import pytest
from matplotlib.colors import to_hex

from course_utils.frameworks import devices
from course_utils.ui.lesson_chart import chart
from course_utils.ui.theme import PAPER, SERIES, text_color


@pytest.fixture
def displayed_bundles(monkeypatch):
    bundles = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: bundles.append(bundle))
    return bundles


def test_measured_chart_is_signed_with_the_machine(displayed_bundles):
    with chart("Two points.") as axes:
        axes.plot([0, 1], [1, 2], "o")
    (bundle,) = displayed_bundles
    assert devices.describe() in bundle["text/html"] and 'aria-label="Two points."' in bundle["text/html"]
    assert bundle["text/plain"] == "Two points." and bundle["image/png"]


def test_alternative_text_is_in_every_format(monkeypatch):
    displayed_bundles = []
    monkeypatch.setattr(
        "IPython.display.display", lambda bundle, raw, metadata: displayed_bundles.append((bundle, metadata))
    )
    with chart("Two points.") as axes:
        axes.plot([0, 1], [1, 2], "o")
    ((bundle, metadata),) = displayed_bundles
    assert metadata == {"image/png": {"alt": "Two points.", "width": 880, "height": 340}}
    assert bundle["text/plain"] == "Two points." and 'aria-label="Two points."' in bundle["text/html"]


def test_illustration_says_so_and_names_no_machine(displayed_bundles):
    with chart("Two points.", measured=False) as axes:
        axes.plot([0, 1], [1, 2], "o")
    assert devices.describe() not in displayed_bundles[0]["text/html"]
    assert "Nothing in it was measured." in displayed_bundles[0]["text/html"]


def test_text_in_a_line_color_is_darkened(displayed_bundles):
    with chart("A point with a name.") as axes:
        axes.plot([1], [1], "o", color="C4")
        axes.annotate("its name", (1, 1), color="C4")
    assert axes.texts[0].get_color() == text_color(SERIES[4])


def test_legend_hides_the_grid_behind_its_texts(displayed_bundles):
    with chart("A line with a name.") as axes:
        axes.plot([0, 1], [1, 2], label="its name")
        frame = axes.legend().get_frame()
    assert frame.get_alpha() >= 0.8 and to_hex(frame.get_facecolor()) == PAPER
    assert "fill: var(--unloop-paper)" in displayed_bundles[0]["text/html"]


def test_ticks_of_a_wide_log_axis_are_powers_of_ten(displayed_bundles):
    with chart("A steep line.") as axes:
        axes.plot([1, 1e6], [1, 50])
        axes.set(xscale="log", yscale="log", xlim=(1, 1e6), ylim=(1, 50))
    assert [label.get_text() for label in axes.get_xticklabels()][-2:] == ["1,000,000", "10,000,000"]
    assert {"2", "5", "20"} <= {label.get_text() for label in axes.get_yticklabels()}


def test_all_ticks_of_a_log_axis_have_one_format(displayed_bundles):
    with chart("A falling line.") as axes:
        axes.plot([1e-7, 1e-2], [1e-7, 3e-7])
        axes.set(xscale="log", yscale="log", xlim=(1e-7, 1e-2), ylim=(1e-7, 4e-7))
    labels = dict(zip(axes.get_xticks(), [label.get_text() for label in axes.get_xticklabels()]))
    # Matplotlib also makes ticks outside of the limits; their number depends on its version.
    assert [label for tick, label in labels.items() if 0.9e-7 < tick < 1.1e-2] == [
        "10⁻⁷",
        "10⁻⁶",
        "10⁻⁵",
        "10⁻⁴",
        "10⁻³",
        "10⁻²",
    ]
    assert {"10⁻⁷", "2·10⁻⁷"} <= {label.get_text() for label in axes.get_yticklabels()}
