"""A trace is drawn with a row for each level and in words; what cannot be drawn is refused in one sentence."""

import pytest

from course_utils.explaining.read_trace import TraceError, TraceEvent
from course_utils.ui.trace_view import show_trace


@pytest.fixture
def displayed_bundles(monkeypatch):
    bundles = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: bundles.append(bundle))
    return bundles


def events(*rows):
    return [TraceEvent(*row) for row in rows]


def test_timeline_shows_names_total_times_and_words(displayed_bundles):
    show_trace(
        events(("load", "thread 1", 0, 6000), ("aten::mean", "thread 1", 100, 3000), ("count", "thread 1", 6000, 4000))
    )
    (bundle,) = displayed_bundles
    for part in ("load: 6.00 ms", "count: 4.00 ms", ">mean<", "milliseconds"):
        assert part in bundle["text/html"]
    assert bundle["text/plain"] == (
        "Timeline of 10.0 ms on 1 thread. The outermost events that take the most time: load 6.00 ms (60\N{NO-BREAK SPACE}%), "
        "count 4.00 ms (40\N{NO-BREAK SPACE}%)."
    )


def test_deeper_levels_than_asked_for_are_not_drawn(displayed_bundles):
    nested = events(("outer", "thread 1", 0, 900), ("middle", "thread 1", 1, 800), ("inner", "thread 1", 2, 700))
    show_trace(nested, levels=2)
    assert ">middle<" in displayed_bundles[0]["text/html"] and ">inner<" not in displayed_bundles[0]["text/html"]


def test_name_is_shown_only_if_its_letters_fit_into_its_bar(displayed_bundles):
    show_trace(events(("wide", "thread 1", 0, 966), ("mm", "thread 1", 966, 17), ("il", "thread 1", 983, 17)))
    assert ">il<" in displayed_bundles[0]["text/html"] and ">mm<" not in displayed_bundles[0]["text/html"]


def test_long_name_is_cut_to_the_width_of_its_bar(displayed_bundles):
    rows = [("wide", "thread 1", 0, 850), ("M" * 12, "thread 1", 850, 75), ("i" * 12, "thread 1", 925, 75)]
    show_trace(events(*rows))
    assert ">MMMM…<" in displayed_bundles[0]["text/html"] and f">{'i' * 12}<" in displayed_bundles[0]["text/html"]


def test_threads_are_named_if_there_are_several(displayed_bundles):
    show_trace(events(("launch", "thread 1", 0, 10), ("kernel", "stream 7", 5, 50)))
    assert ">stream 7<" in displayed_bundles[0]["text/html"] and ">thread 1<" in displayed_bundles[0]["text/html"]


@pytest.mark.slow
def test_many_short_events_make_a_small_picture(displayed_bundles):
    show_trace(events(*((f"op {i % 9}", "thread 1", 10 * i, 4) for i in range(30_000))))
    assert len(displayed_bundles[0]["text/html"]) < 150_000


@pytest.mark.parametrize("wrong", ["trace.json", [("load", 0, 1)], [1]])
def test_only_events_of_read_trace_are_drawn(wrong):
    with pytest.raises(TraceError, match="draws the events that `read_trace` returned"):
        show_trace(wrong)


def test_empty_part_of_a_trace_is_refused():
    with pytest.raises(TraceError, match="got no events"):
        show_trace([])


def test_levels_must_be_positive():
    with pytest.raises(TraceError, match="`levels` must be a positive integer; got 0"):
        show_trace(events(("load", "thread 1", 0, 1)), levels=0)
