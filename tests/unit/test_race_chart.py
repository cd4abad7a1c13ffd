"""The picture of a race: nothing that was found is missing from it, nothing that was not found is in it."""

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


def measured(size, contender, seconds, ratio=None):
    interval = None if ratio is None else Ratio(ratio, ratio * 0.9, ratio * 1.1)
    verdict = "unclear" if ratio is None else "faster"
    return Point(size, contender, "measured", seconds, seconds * 0.9, seconds * 1.2, interval, verdict, rounds=20)


@pytest.fixture
def result():
    points = []
    for size in SIZES[:2]:
        points += [measured(size, "slow $1", size * 1e-6), measured(size, "fast & <lean>", 1e-6, float(size))]
    points += [
        Point(1000, "slow $1", "extrapolated", 1e-3, note="'slow $1' would take too long here; extrapolated."),
        measured(1000, "fast & <lean>", 1.5e-6),
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


def words(result, **options):
    """All that is written on the chart."""
    figure = race_chart.draw(result, **options)
    return [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text")) if text.get_text()]


def test_every_line_has_its_name_and_the_limit_says_what_binds(result):
    written = words(result)
    assert {"slow $1", "fast & <lean>", "physical limit", "memory bandwidth", "size n", "time per call"} <= set(written)


def test_peaks_are_drawn_below_the_time_with_their_budget(result):
    assert "memory budget" not in words(result)
    points = [dataclasses.replace(point, peak=point.size * 1024) for point in result.points]
    points.append(Point(1000, "liar", "too large", note="'liar' would hold 5 MB.", peak=5 * 2**20))
    written = words(dataclasses.replace(result, points=tuple(points), memory=2**20))
    assert {"memory budget", "memory alive at the peak of one call", "5 MB, not run", "1,000 KB"} <= set(written)
    assert written.count("fast & <lean>") == 2  # at its time, and at its peak


def test_the_ratio_stands_where_both_were_measured(result):
    assert "100×" in words(result)


def test_an_extrapolated_point_is_hollow_and_labelled(result):
    axes = race_chart.draw(result).axes[0]
    hollow = [line for line in axes.lines if line.get_marker() == "o" and line.get_markerfacecolor() == PAPER]
    assert [line.get_xydata().tolist() for line in hollow] == [[[1000.0, 1e-3]]]
    assert "hollow: extrapolated" in words(result)


def test_a_wrong_contender_is_named_wrong_and_has_no_line(result):
    assert "✗ liar: wrong result" in words(result)
    assert "liar" not in words(result)


def test_the_chart_is_signed(result):
    assert result.signature() in words(result)
    assert f"recorded on {result.signature()}" in words(result, recorded=True)


def test_the_guess_is_drawn_on_the_scale_of_the_ratio(result):
    assert "your guess: 20×" in words(result, guess=20)
    axes = race_chart.draw(result, guess=20).axes[0]
    star = next(line for line in axes.lines if line.get_marker() == "*")
    assert star.get_ydata()[0] == pytest.approx(1e-4 / 20)


def test_a_guess_about_another_size_stands_there(result):
    axes = race_chart.draw(result, guess=5, guess_at=10).axes[0]
    (star,) = [line for line in axes.lines if line.get_marker() == "*"]
    assert (list(star.get_xdata()), list(star.get_ydata())) == ([10], [pytest.approx(10e-6 / 5)])
    assert "your guess: 5×" in words(result, guess=5, guess_at=10)
    assert words(result, guess=5, guess_at=100).count("your guess: 5×") == 1
    assert "your guess: 5×" not in words(result, guess=5, guess_at=7), "nothing is known of that size"


@pytest.mark.parametrize("guess_at", [None, 10])
def test_a_guess_off_the_chart_stays_on_it_and_hides_no_size(result, guess_at):
    axes = race_chart.draw(result, guess=1e9, guess_at=guess_at).axes[0]
    star = next(line for line in axes.lines if line.get_marker() == "*")
    height = star.get_transform().transform(star.get_xydata())[0][1] - axes.get_window_extent().y0
    assert height == pytest.approx(star.get_markersize() / 2 / 72 * axes.figure.dpi)


def test_a_guess_at_the_first_size_is_not_cut_off_by_the_edge(result):
    first = [point for point in result.points if point.size == result.sizes[0]]
    figure = race_chart.draw(dataclasses.replace(result, points=tuple(first)), guess=1234)
    texts = {text.get_text(): text.get_window_extent() for text in figure.axes[0].texts}
    guess = texts["your guess: 1,200×"]
    assert guess.x0 > figure.axes[0].get_window_extent().x0
    ratio = next((box for words, box in texts.items() if words.endswith("×") and "guess" not in words), None)
    assert ratio is None or not ratio.overlaps(guess)


def test_the_spread_is_drawn_from_quartile_to_quartile(result):
    axes = race_chart.draw(result).axes[0]
    segments = [
        segment for lines in axes.collections if hasattr(lines, "get_segments") for segment in lines.get_segments()
    ]
    assert any(
        segment.tolist() == [[100.0, pytest.approx(9e-5)], [100.0, pytest.approx(1.2e-4)]] for segment in segments
    )


def test_names_do_not_overlap_however_close_their_lines_end(result):
    names = tuple(f"contender {k}" for k in range(6))
    points = tuple(measured(size, name, 1e-6 * size) for size in SIZES for name in names)
    crowd = dataclasses.replace(result, contenders=names, baseline=names[0], points=points)
    figure = race_chart.draw(crowd)
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text().startswith("contender")]
    boxes.sort(key=lambda box: box.y0)
    assert len(boxes) == 6
    assert all(lower.y1 <= upper.y0 + 1 for lower, upper in itertools.pairwise(boxes))


def test_seven_lines_have_seven_colors_and_seven_shapes(result):
    names = tuple(f"contender {k}" for k in range(7))
    crowd = dataclasses.replace(result, contenders=names, baseline=names[0])
    assert len({race_chart.color_of(crowd, name) for name in names}) == 7
    assert len({race_chart.symbol_of(crowd, name) for name in names}) == 7


def test_a_headline_tears_no_name_and_no_size_apart(result):
    sentence = "'a rather long name' is 34.5× (34.3–34.8) as fast as 'another long name, too' at n = 64; at n = 1,024 "
    sentence += "'a rather long name' takes 54.6 times as long as its calls must cost, and holds 8.4 KB."
    title = next(text for text in words(result, headline=sentence) if "34.5×" in text)
    lines = title.replace("\N{NO-BREAK SPACE}", " ").split("\n")
    assert " ".join(lines) == sentence
    for whole in ("'a rather long name'", "'another long name, too'", "at n = 64", "at n = 1,024", "8.4 KB"):
        assert sum(line.count(whole) for line in lines) == sentence.count(whole)
    assert max(map(len, lines)) - min(map(len, lines)) < 30


@pytest.mark.parametrize("guess", [None, 5])
def test_the_ratio_stands_clear_of_the_lines(result, guess):
    """A third line runs from the middle of the arrow to the right, where the ratio would stand."""
    third = tuple(measured(size, "third", 1e-5 * (size / 100) ** 0.1) for size in SIZES)
    busy = dataclasses.replace(result, contenders=(*result.contenders, "third"), points=result.points + third)
    figure = race_chart.draw(busy, guess=guess)
    figure.canvas.draw()
    axes = figure.axes[0]
    box = next(text for text in axes.texts if text.get_text() == "100×").get_window_extent()
    for line in axes.lines:
        if len(line.get_xdata()) == len(SIZES):
            path = line.get_transform().transform_path(line.get_path()).interpolated(200)
            assert not any(box.contains(x, y) for x, y in path.vertices)


def test_the_ratio_in_the_margin_keeps_away_from_the_name_of_a_line_between(result):
    ends = {"slow $1": 1e-3, "between": 3e-5, "fast & <lean>": 1e-6}  # `between` ends half way along the arrow
    points = [measured(1000, name, s, None if name == "slow $1" else 1e-3 / s) for name, s in ends.items()]
    figure = race_chart.draw(dataclasses.replace(result, contenders=tuple(ends), points=tuple(points)))
    figure.canvas.draw()
    boxes = {text.get_text(): text.get_window_extent() for text in figure.axes[0].texts}
    ratio = boxes["1,000×"]
    assert all(abs(boxes[name].y0 - ratio.y0) > 2 * ratio.height for name in ends)


def test_the_ratio_of_the_first_size_stays_out_of_the_axis(result):
    first = dataclasses.replace(result, points=tuple(point for point in result.points if point.size != 100))
    figure = race_chart.draw(first)
    figure.canvas.draw()
    axes = figure.axes[0]
    box = next(text for text in axes.texts if text.get_text() == "10.0×").get_window_extent()
    assert box.x0 > axes.get_window_extent().x0


@pytest.mark.parametrize("points", [(), (Point(10, "slow $1", "memory", note="Memory ran out."),)])
def test_a_race_without_a_single_time_still_has_a_chart(result, points):
    empty = dataclasses.replace(result, points=points, bounds={})
    assert "size n" in words(empty)


def test_one_size_is_enough(result):
    single = dataclasses.replace(result, sizes=(10,), points=result.points[:2], bounds={})
    assert {"10", "10.0×"} <= set(words(single, guess=5))


def test_the_alternative_text_tells_the_finding_the_guess_and_the_machine(result):
    told = race_chart.alternative_text(result, guess=20)
    assert finding(result) in told and "Your guess was 20×." in told and result.signature() in told


def test_each_contender_keeps_its_color_and_shape_in_the_table(result):
    table = race_table.table(result)
    for name, symbol, variable in (("slow $1", "●", "letter-0"), ("fast &amp; &lt;lean&gt;", "■", "letter-1")):
        assert f'color:var(--unloop-{variable})">{symbol}</span> {name}' in table


def test_the_table_holds_every_figure_and_escapes_every_name(result):
    table = race_table.table(result)
    assert "100× (90.0–110)" in table and "≈ 1.00 ms" in table and "wrong" in table and "memory bandwidth" in table
    assert "<lean>" not in table


def test_remarks_name_each_trouble_once_and_leave_the_rest_to_the_table(result):
    again = Point(100, "liar", "wrong", note="'liar' is wrong at n = 100: values that differ by up to 9.")
    remarks = race_table.remarks(dataclasses.replace(result, points=(*result.points, again)))
    assert remarks.count("<li") == 1
    assert "is wrong at n = 10:" in remarks
    assert "would take too long here; extrapolated." in race_table.table(result)
