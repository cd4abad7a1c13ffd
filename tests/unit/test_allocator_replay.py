"""The replay of allocations follows the allocator's rules, agrees with the exercise's loop, and shows its timeline."""

import re

import numpy as np
import pytest

from course_utils import memory_trace, replay, tasks
from course_utils.counting.allocator_replay import MIB, TraceInvalid
from course_utils.ui import pool_timeline

torch = pytest.importorskip("torch")


def allocations(*sizes):
    return [("alloc", f"t{number}", size) for number, size in enumerate(sizes)]


def test_replay_agrees_with_the_loop_of_the_exercise():
    task = tasks.load("pool_bytes")
    generator = np.random.default_rng(0)
    traces = [task.inputs(80, generator)[0] for _ in range(20)]
    traces += [case.make(generator)[0] for case in (*task.edge_cases, *task.worst_cases)]
    for trace in traces:
        replayed = replay(trace)
        assert (replayed.held, replayed.wasted) == task.slow(trace)


@pytest.mark.parametrize("size, segment", [
    (1, 2), (MIB, 2), (MIB + 1, 20), (10 * MIB - 512, 20), (10 * MIB - 511, 10), (10 * MIB + 1, 12), (33 * MIB, 34),
])  # fmt: skip
def test_segment_has_the_size_of_pytorchs_rules(size, segment):
    assert replay([("alloc", "a", size)]).held == segment * MIB


def test_expandable_segment_grows_by_whole_units_and_merges_what_is_free():
    trace = [
        *allocations(11 * MIB, 13 * MIB),
        ("free", "t0", 11 * MIB),
        ("free", "t1", 13 * MIB),
        ("alloc", "u", 39 * MIB),
    ]
    assert [replay(trace).held // MIB, len(replay(trace).segments)] == [12 + 14 + 40, 3]
    grown = replay(trace, expandable=True)
    assert [grown.held // MIB, grown.largest_free // MIB, len(grown.segments)] == [40, 1, 1]
    assert [size // MIB for _, size in grown.segments[0].sizes] == [20, 40]


@pytest.mark.parametrize("trace, sentence", [
    ([("alloc", "a", 0)], "Event 0 is ('alloc', 'a', 0); write ('alloc', name, bytes)"),
    ([("alloc", "a", 5), ("alloc", "a", 5)], "Event 1 allocates 'a', which is alive"),
    ([("free", "a", 5)], "Event 0 frees 'a', which isn't alive"),
    (["alloc"], "Event 0 is 'alloc'"),
])  # fmt: skip
def test_impossible_event_is_named(trace, sentence):
    with pytest.raises(TraceInvalid, match=re.escape(sentence)):
        replay(trace)


def test_trace_of_a_call_lists_its_tensors_in_order():
    def chain(x):
        y = x + 1
        z = y[1:] * 2
        del y
        return z.sum()

    assert memory_trace(chain, torch.ones(1000)) == [
        ("alloc", "t0", 4000),
        ("alloc", "t1", 3996),
        ("free", "t0", 4000),
        ("alloc", "t2", 4),
        ("free", "t1", 3996),
    ]


@pytest.mark.slow
def test_timeline_has_a_bar_per_tensor_and_its_figures_as_text(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: shown.append(bundle))
    pool_timeline.show(replay([*allocations(3 * MIB, 4 * MIB), ("free", "t0", 3 * MIB)]))
    (bundle,) = shown
    text = "held 20.0 MB · living tensors 4.0 MB · wasted 16.0 MB · largest free block 13.0 MB"
    assert bundle["text/plain"] == f"Pool after 3 events, segments of fixed size: 1 segment · {text}."
    for part in (text, "20 MB", "Nothing in it was measured", 'aria-label="Pool after 3 events'):
        assert part in bundle["text/html"]
    assert bundle["image/png"]


def test_timeline_of_nothing_is_shown(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: shown.append(bundle))
    pool_timeline.show(replay([]))
    assert "held 0.0 MB" in shown[0]["text/plain"]
