"""The chart of a race shows every result and nothing else, and no text covers a point."""

import dataclasses
import itertools

import pytest

from course_utils.limits import Bound
from course_utils.races import Point, RaceResult
from course_utils.races.finding import finding
from course_utils.timing import Ratio
from course_utils.ui import race_chart, race_table
from course_utils.ui.theme import PAPER

SIZES = (10, 100, 1000)


def measured_point(size, contender, seconds, ratio=None):
    interval = None if ratio is None else Ratio(ratio, ratio * 0.9, ratio * 1.1)
    verdict = "unclear" if ratio is None else "faster"
    return Point(size, contender, "measured", seconds, seconds * 0.9, seconds * 1.2, interval, verdict, rounds=20)


@pytest.fixture
def result():
    points = []
    for size in SIZES[:2]:
        points += [
            measured_point(size, "slow $1", size * 1e-6),
            measured_point(size, "fast & <lean>", 1e-6, float(size)),
        ]
    points += [
        Point(
            1000,
            "slow $1",
            "extrapolated",
            1e-3,
            note="'slow $1' did not fit the first look's 2 s at n = 1,000; its time is extrapolated.",
        ),
        measured_point(1000, "fast & <lean>", 1.5e-6),
        Point(10, "liar", "wrong", note="'liar' is wrong at n = 10: values that differ by up to 1."),
    ]
    return RaceResult(
        race="demo",
        baseline="slow $1",
        contenders=("slow $1", "fast & <lean>", "liar"),
        sizes=SIZES,
        points=tuple(points),
        device="cpu",
        machine="Test machine, 2 cores",
        threads=1,
        versions={"torch": "9.9"},
        date="2030-01-02",
        bounds={size: Bound(5e-7, "memory bandwidth") for size in SIZES},
    )


def texts(result, **options):
    """Return all texts of the chart."""
    figure = race_chart.draw(result, **options)
    return [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text")) if text.get_text()]


def test_every_line_has_its_name_and_the_limit_its_cause(result):
    written = texts(result)
    assert {"slow $1", "fast & <lean>", "physical limit", "memory bandwidth", "size n", "time per call"} <= set(written)


def test_label_names_a_size_after_the_last_point(result):
    points = [point for point in result.points if point.contender != "fast & <lean>" or point.size == SIZES[1]]
    points += [Point(size, "fast & <lean>", "skipped") for size in (SIZES[0], SIZES[2])]
    written = texts(dataclasses.replace(result, points=tuple(points)))
    assert f"not run at n = {SIZES[2]:,}" in written and f"not run at n = {SIZES[0]:,}" not in written


def test_memory_peaks_are_drawn_below_the_time_with_their_budget(result):
    assert "memory budget" not in texts(result)
    points = [dataclasses.replace(point, peak=point.size * 1024) for point in result.points]
    points.append(Point(1000, "liar", "too large", note="'liar' would have 5 MB alive.", peak=5 * 2**20))
    written = texts(dataclasses.replace(result, points=tuple(points), memory=2**20))
    assert {"memory budget", "peak memory of one call", "5 MB", "1,000 KB"} <= set(written)
    assert written.count("fast & <lean>") == 2  # at its time, and at its peak


def test_only_extrapolated_peaks_are_hollow(result):
    points = [dataclasses.replace(point, peak=point.size * 1024) for point in result.points]
    points += [Point(size, "liar", "too large", peak=size * 2**20, peak_is_extrapolated=size > 10) for size in SIZES]
    lower = race_chart.draw(dataclasses.replace(result, points=tuple(points), memory=2**20)).axes[1]
    hollow = [line for line in lower.lines if line.get_markerfacecolor() == PAPER]
    assert [line.get_xdata().tolist() for line in hollow] == [[100, 1000]]
    assert "1,000 MB, extrapolated" in [text.get_text() for text in lower.texts]


@pytest.mark.slow
def test_ratio_is_shown_at_a_size_at_which_both_were_measured(result):
    assert "100×" in texts(result)


def test_ratio_of_a_slower_contender_is_how_many_times_as_long(result):
    slower = dataclasses.replace(measured_point(100, "fast & <lean>", 4e-4, 0.25), verdict="slower")
    points = [slower if (point.size, point.contender) == (100, "fast & <lean>") else point for point in result.points]
    points = tuple(point for point in points if point.size == 100)
    assert "4.00× as long" in texts(dataclasses.replace(result, points=points))


def test_contenders_within_the_tie_margin_have_no_arrow(result):
    pair = (measured_point(1000, "slow $1", 1.2e-3), measured_point(1000, "fast & <lean>", 1e-3, 1.2))
    close = dataclasses.replace(result, points=pair)
    assert "1.20×" not in texts(close)
    assert "about the same (within 25 %)" in finding(close)


def test_extrapolated_point_is_hollow_and_labeled(result):
    axes = race_chart.draw(result).axes[0]
    hollow = [line for line in axes.lines if line.get_marker() == "o" and line.get_markerfacecolor() == PAPER]
    assert [line.get_xydata().tolist() for line in hollow] == [[[1000.0, 1e-3]]]
    assert "hollow: extrapolated" in texts(result)


def test_wrong_contender_is_named_and_has_no_line(result):
    assert "✗ liar: wrong result" in texts(result)
    assert "liar" not in texts(result)


def test_chart_is_signed(result):
    assert result.signature() in texts(result)
    assert f"recorded on {result.signature()}" in texts(result, recorded=True)


@pytest.mark.slow
def test_guess_is_drawn_on_the_scale_of_the_ratio(result):
    assert "your guess: 20×" in texts(result, guess=20)
    axes = race_chart.draw(result, guess=20).axes[0]
    star = next(line for line in axes.lines if line.get_marker() == "*")
    assert star.get_ydata()[0] == pytest.approx(1e-4 / 20)


def test_guess_about_another_size_is_drawn_there(result):
    axes = race_chart.draw(result, guess=5, guess_at=10).axes[0]
    (star,) = [line for line in axes.lines if line.get_marker() == "*"]
    assert (list(star.get_xdata()), list(star.get_ydata())) == ([10], [pytest.approx(10e-6 / 5)])
    assert "your guess: 5×" in texts(result, guess=5, guess_at=10)
    assert texts(result, guess=5, guess_at=100).count("your guess: 5×") == 1
    assert "your guess: 5×" not in texts(result, guess=5, guess_at=7), "the race has no such size"


@pytest.mark.parametrize("guess_at", [None, 10])
def test_guess_beyond_the_chart_is_drawn_at_its_edge(result, guess_at):
    axes = race_chart.draw(result, guess=1e9, guess_at=guess_at).axes[0]
    star = next(line for line in axes.lines if line.get_marker() == "*")
    height = star.get_transform().transform(star.get_xydata())[0][1] - axes.get_window_extent().y0
    assert height == pytest.approx(star.get_markersize() / 2 / 72 * axes.figure.dpi)


def test_guess_at_the_first_size_is_not_cut_off(result):
    first = [point for point in result.points if point.size == result.sizes[0]]
    figure = race_chart.draw(dataclasses.replace(result, points=tuple(first)), guess=1234)
    boxes = {text.get_text(): text.get_window_extent() for text in figure.axes[0].texts}
    guess = boxes["your guess: 1,200×"]
    assert guess.x0 > figure.axes[0].get_window_extent().x0
    ratio = next((box for text, box in boxes.items() if text.endswith("×") and "guess" not in text), None)
    assert ratio is None or not ratio.overlaps(guess)


def test_spread_is_drawn_from_quartile_to_quartile(result):
    axes = race_chart.draw(result).axes[0]
    segments = [
        segment for lines in axes.collections if hasattr(lines, "get_segments") for segment in lines.get_segments()
    ]
    assert any(
        segment.tolist() == [[100.0, pytest.approx(9e-5)], [100.0, pytest.approx(1.2e-4)]] for segment in segments
    )


def test_names_of_lines_do_not_overlap(result):
    names = tuple(f"contender {k}" for k in range(6))
    points = tuple(measured_point(size, name, 1e-6 * size) for size in SIZES for name in names)
    crowd = dataclasses.replace(result, contenders=names, baseline=names[0], points=points)
    figure = race_chart.draw(crowd)
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text().startswith("contender")]
    boxes.sort(key=lambda box: box.y0)
    assert len(boxes) == 6
    assert all(lower.y1 <= upper.y0 + 1 for lower, upper in itertools.pairwise(boxes))


def test_seven_lines_have_seven_colors_and_shapes(result):
    names = tuple(f"contender {k}" for k in range(7))
    crowd = dataclasses.replace(result, contenders=names, baseline=names[0])
    assert len({race_chart.color_of(crowd, name) for name in names}) == 7
    assert len({race_chart.symbol_of(crowd, name) for name in names}) == 7


def test_headline_breaks_no_name_and_no_size(result):
    sentence = "'a rather long name' is 34.5× (34.3–34.8) as fast as 'another long name, too' at n = 64; at n = 1,024 "
    sentence += "'a rather long name' takes 54.6× as long as the limit (launch cost), and has 8.4 KB alive."
    title = next(text for text in texts(result, headline=sentence) if "34.5×" in text)
    lines = title.replace("\N{NO-BREAK SPACE}", " ").split("\n")
    assert " ".join(lines) == sentence
    hyphenated = (
        "'smallest partner' takes 25.1× (22.4–27.5) as long as 'union-find on lists' at n = 2,048; at n = 2,048 "
    )
    hyphenated += "'hook and jump' takes 332× as long as the limit (launch cost)."
    assert any(
        "'union-find\N{NO-BREAK SPACE}on\N{NO-BREAK SPACE}lists'" in text for text in texts(result, headline=hyphenated)
    )
    for whole in ("'a rather long name'", "'another long name, too'", "at n = 64", "at n = 1,024", "8.4 KB"):
        assert sum(line.count(whole) for line in lines) == sentence.count(whole)
    assert max(map(len, lines)) - min(map(len, lines)) < 30


def with_third_line(result, seconds):
    """Return the result with one more line, ``seconds(size)``."""
    third = tuple(measured_point(size, "third", seconds(size)) for size in SIZES)
    return dataclasses.replace(result, contenders=(*result.contenders, "third"), points=result.points + third)


def at_last_size(result):
    """Return the result with the headline at the last size, and a line that ends halfway along the arrow."""
    ends = {"slow $1": 1e-3, "between": 3e-5, "fast & <lean>": 1e-6}
    points = [
        measured_point(size, name, seconds, None if name == "slow $1" else 1e-3 / seconds)
        for name, seconds in ends.items()
        for size in SIZES
    ]
    return dataclasses.replace(result, contenders=tuple(ends), points=tuple(points))


CROWDED = {
    "as is": lambda result: result,
    "line through the arrow": lambda result: with_third_line(result, lambda size: 1e-5 * (size / 100) ** 0.1),
    "steep line": lambda result: with_third_line(result, lambda size: 1e-7 * size**1.5),
    "last size": at_last_size,
    "first size": lambda result: dataclasses.replace(
        result, points=tuple(point for point in result.points if point.size != 100)
    ),
}


@pytest.mark.parametrize("guess", [None, 5, 60, 3000])
@pytest.mark.parametrize("crowd", CROWDED.values(), ids=CROWDED)
def test_ratio_and_guess_cover_no_line_and_no_point_and_are_not_among_the_names(result, crowd, guess):
    figure = race_chart.draw(crowd(result), guess=guess)
    figure.canvas.draw()
    axes = figure.axes[0]
    boxes = {text.get_text(): text.get_window_extent() for text in axes.texts if "×" in text.get_text()}
    assert boxes
    frame = axes.get_window_extent()
    for text, box in boxes.items():
        assert frame.x0 <= box.x0 and box.x1 <= frame.x1 + 1, f"{text} is inside the axes"
        for line in axes.lines:
            path = line.get_transform().transform_path(line.get_path()).interpolated(200)
            assert not any(box.contains(x, y) for x, y in path.vertices), f"{text} covers a line"
        assert not any(box.overlaps(other) for words, other in boxes.items() if words != text)


@pytest.mark.parametrize("points", [(), (Point(10, "slow $1", "memory", note="Memory ran out."),)])
def test_race_without_a_time_has_a_chart(result, points):
    empty = dataclasses.replace(result, points=points, bounds={})
    assert "size n" in texts(empty)


def test_one_size_is_enough_for_a_chart(result):
    single = dataclasses.replace(result, sizes=(10,), points=result.points[:2], bounds={})
    assert {"10", "10.0×"} <= set(texts(single, guess=5))


def test_alternative_text_has_finding_guess_and_machine(result):
    text = race_chart.alternative_text(result, guess=20)
    assert finding(result) in text and "Your guess was 20×." in text and result.signature() in text


def test_table_shows_color_and_shape_of_each_contender(result):
    table = race_table.table(result)
    for name, symbol, variable in (("slow $1", "●", "letter-0"), ("fast &amp; &lt;lean&gt;", "■", "letter-1")):
        assert f'color:var(--unloop-{variable})">{symbol}</span> {name}' in table


def test_table_contains_every_figure_and_escapes_every_name(result):
    table = race_table.table(result)
    assert (
        '100× <span style="white-space:nowrap">(90.0–110)</span>' in table
        and "≈ 1.00 ms" in table
        and "wrong" in table
        and "memory bandwidth" in table
    )
    assert "<lean>" not in table


def test_remarks_name_each_trouble_once(result):
    again = Point(100, "liar", "wrong", note="'liar' is wrong at n = 100: values that differ by up to 9.")
    remarks = race_table.remarks(dataclasses.replace(result, points=(*result.points, again)))
    assert remarks.count("<li") == 1
    assert "is wrong at n = 10:" in remarks
    assert "at n = 1,000; its time is extrapolated." in race_table.table(result)
