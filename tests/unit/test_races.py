"""What a race promises: agreement before time, prediction instead of waiting, and errors as sentences."""

import json
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from course_utils.frameworks.devices import DeviceMissing
from course_utils.limits import Bound, Cost
from course_utils.races import Point, RaceError, RaceResult, race
from course_utils.races.extrapolation import predicted_s
from course_utils.sandbox import memory_limits
from course_utils.timing import Ratio


def numbers(size, device):
    return (np.arange(size, dtype=np.float64),)


def loop(x):
    return np.array([value * 2 for value in x])


def whole(x):
    return x * 2


def a_race(contenders=None, inputs=numbers, sizes=(4, 64), **options):
    return race("test", contenders or {"loop": loop, "whole": whole}, inputs, sizes, **options)


def statuses(result, contender):
    return [result.point(contender, size).status for size in result.sizes]


def test_contenders_that_agree_are_measured_at_every_size():
    result = a_race().run(budget_s=0.6)
    assert statuses(result, "loop") == statuses(result, "whole") == ["measured", "measured"]
    assert result.point("whole", 64).ratio.value > 1
    assert result.headline().contender == "whole"
    assert "'whole' is" in result.finding()
    assert "at n = 64" in result.finding()


@pytest.mark.parametrize(
    ("wrong", "because"),
    [
        (lambda x: x * 3, "values that differ"),
        (lambda x: (x * 2).astype(np.float32), "dtype float32 instead of float64"),
        (lambda x: (x * 2)[:-1], "shape (3,) instead of (4,)"),
        (lambda x: list(x * 2), "a list instead of"),
    ],
)
def test_a_wrong_contender_is_named_and_not_timed(wrong, because):
    result = a_race({"loop": loop, "wrong": wrong}).run(budget_s=0.2)
    point = result.point("wrong", 4)
    assert (point.status, point.seconds) == ("wrong", None)
    assert "'wrong' is wrong at n = 4" in point.note
    assert because in point.note
    assert result.point("loop", 4).status == "measured"


def test_what_would_take_too_long_is_extrapolated_not_run():
    sizes_seen = []

    def slow(x):
        sizes_seen.append(len(x))
        return loop(np.concatenate([x] * 20))[: len(x)]

    result = a_race({"slow": slow, "whole": whole}, sizes=(100, 1000, 10**5)).run(budget_s=0.8)
    point = result.point("slow", 10**5)
    assert point.status == "extrapolated"
    assert point.seconds > result.point("slow", 1000).seconds
    assert max(sizes_seen) == 1000
    assert result.point("whole", 10**5).status == "measured"
    assert result.headline().size < 10**5, "no ratio is claimed where one side was not run"


def test_a_quick_contender_is_measured_at_every_size_whatever_the_slow_ones_cost():
    slow = lambda x: (time.sleep(0.3), whole(x))[1]
    quick = lambda x: (time.sleep(0.0025), whole(x))[1]
    result = a_race({"slow": slow, "quick": quick}, sizes=(1, 2, 4, 8)).run(budget_s=0.6)
    assert statuses(result, "slow")[0] == "measured" and "skipped" in statuses(result, "slow"), (
        "it has used up what there was"
    )
    assert statuses(result, "quick") == ["measured"] * 4


def test_a_second_point_is_measured_where_a_call_fits_so_that_a_flat_line_is_not_drawn_steep():
    flat = lambda x: (time.sleep(0.004), whole(x))[1]
    result = a_race({"flat": flat, "whole": whole}, sizes=(10, 200, 400)).run(budget_s=1.2)
    assert statuses(result, "flat") == ["measured"] * 3


def test_nothing_is_drawn_that_rests_on_one_measured_size():
    flat = lambda x: (time.sleep(0.3), whole(x))[1]
    result = a_race({"flat": flat, "whole": whole}, sizes=(4, 4000, 40_000)).run(budget_s=0.6)
    assert statuses(result, "flat") == ["measured", "skipped", "skipped"]
    assert "one measured size does not tell how its time grows" in result.point("flat", 4000).note
    assert len(result.timed("flat")) == 1
    assert result.fastest(at=40_000) is None, "whoever was left out may be the fastest"


def test_a_flat_line_is_known_from_a_cheap_size_between_before_the_next_is_given_up():
    sizes_seen = []

    def flat(x):
        sizes_seen.append(len(x))
        time.sleep(0.02)
        return whole(x)

    result = a_race({"flat": flat, "whole": whole}, sizes=(10, 1000, 100_000)).run(budget_s=1.5)
    assert statuses(result, "flat") == ["measured"] * 3
    assert 20 in sizes_seen and result.sizes == (10, 1000, 100_000)
    assert {point.size for point in result.points} == {10, 1000, 100_000}, (
        "what lies between serves the prediction alone"
    )


def test_inputs_that_have_no_size_between_end_no_race():
    def only_tens(size, device):
        assert size in (10, 1000), "no such size"
        return (np.arange(float(size)),)

    slow = lambda x: (time.sleep(0.02), whole(x))[1]
    result = a_race({"slow": slow, "whole": whole}, inputs=only_tens, sizes=(10, 1000)).run(budget_s=0.8)
    assert statuses(result, "slow") == ["measured", "skipped"]
    assert statuses(result, "whole") == ["measured"] * 2


def test_a_peak_that_one_size_tells_of_is_neither_drawn_nor_told_as_what_would_be_held():
    torch = pytest.importorskip("torch")
    flat = lambda x: torch.zeros(1024)[0] + x.sum()
    whole_sum = lambda x: x.sum()
    inputs = lambda size, device: (torch.arange(float(size)),)
    race = a_race({"whole": whole_sum, "flat": flat}, inputs=inputs, sizes=(8, 32, 128), memory=8192)
    result = race.run(budget_s=0.4)
    point = result.point("flat", 32)
    assert (point.status, point.peak) == ("skipped", None)
    assert "this race allows 8 KB, and one measured size" in point.note and "would hold" not in point.note


@pytest.mark.parametrize("error", [ValueError("too few values"), SystemExit("too few values")])
def test_a_contender_that_raises_is_named_and_the_others_race(error):
    def fragile(x):
        raise error

    result = a_race({"loop": loop, "fragile": fragile, "whole": whole}).run(budget_s=0.2)
    assert statuses(result, "fragile") == ["failed", "failed"]
    assert result.point("fragile", 4).note == f"'fragile' raised, at n = 4, {type(error).__name__}: too few values"
    assert statuses(result, "whole") == ["measured", "measured"]
    assert "fragile: failed" in result.steady_text()


def test_inputs_that_fail_at_one_size_spare_the_others():
    def inputs(size, device):
        if size == 16:
            raise OSError("no such file")
        return numbers(size, device)

    result = a_race(inputs=inputs, sizes=(4, 16, 64)).run(budget_s=0.3)
    assert statuses(result, "loop") == ["measured", "failed", "measured"]
    assert "The inputs raised, at n = 16, OSError" in result.point("loop", 16).note


def test_memory_that_runs_out_ends_the_race_and_is_said():
    def greedy(x):
        if len(x) >= 16:
            raise MemoryError
        return whole(x)

    result = a_race({"loop": loop, "greedy": greedy}, sizes=(4, 16, 64)).run(budget_s=0.3)
    assert statuses(result, "greedy") == ["measured", "memory", "skipped"]
    assert result.point("loop", 64).status == "skipped"
    assert a_race({"greedy": greedy}, sizes=(16,)).run(budget_s=0.1).steady_text().endswith("nothing could be run")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory is free")
def test_memory_that_really_runs_out_leaves_the_kernel_alive(tmp_path, monkeypatch):
    (tmp_path / "memory.max").write_text(f"{10**9}\n")
    (tmp_path / "memory.current").write_text(f"{9 * 10**8}\n")
    monkeypatch.setattr(memory_limits, "_CONTAINER", tmp_path)  # a container that has 100 MB left
    result = a_race({"whole": whole}, sizes=(10**3, 10**6, 10**8, 10**9)).run(budget_s=0.3)
    assert statuses(result, "whole") == ["measured", "measured", "memory", "skipped"]
    assert not memory_limits._limits
    np.ones(3 * 10**7)  # 240 MB: the limit went with the race


def test_a_race_that_looks_at_memory_counts_peaks_and_runs_nothing_beyond_its_budget():
    torch = pytest.importorskip("torch")
    ran = []

    def pairs(x):
        ran.append(len(x))
        return (x[:, None] * x).sum(1)

    def rows(x):
        return torch.stack([(x * each).sum() for each in x])

    race = a_race(
        {"rows": rows, "pairs": pairs},
        inputs=lambda size, device: (torch.arange(float(size)),),
        sizes=(8, 16, 32, 64),
        memory=8192,
    )
    result = race.run(budget_s=2.0)
    assert statuses(result, "pairs") == ["measured", "measured", "measured", "too large"]
    assert statuses(result, "rows") == ["measured"] * 4
    assert [result.point("pairs", size).peak for size in (8, 16, 32)] == [4 * n * n + 4 * n for n in (8, 16, 32)]
    assert result.point("pairs", 64).peak == pytest.approx(4 * 64 * 64, rel=0.1) and 64 not in ran
    assert "'pairs' would hold 16 KB at n = 64, and this race allows 8 KB" in result.point("pairs", 64).note
    assert "at its peak it holds" in result.finding()
    assert RaceResult.from_json(result.to_json()) == result


def test_a_race_that_does_not_look_at_memory_counts_no_peaks_and_reads_like_one_of_old():
    result = a_race().run(budget_s=0.2)
    assert result.memory is None and {point.peak for point in result.points} == {None}
    old = json.loads(result.to_json())
    del old["memory"]
    for point in old["points"]:
        del point["peak"]
    assert RaceResult.from_json(json.dumps(old)) == result


def test_contenders_that_change_their_inputs_get_them_as_they_were():
    def in_place(x):
        x *= 2
        return x

    result = a_race({"whole": whole, "in_place": in_place, "loop": loop}, sizes=(8,)).run(budget_s=0.2)
    assert {point.status for point in result.points} == {"measured"}


def test_contenders_that_change_nothing_share_their_inputs():
    seen = []

    def watching(x):
        seen.append(x)
        return whole(x)

    a_race({"loop": watching, "whole": watching}, sizes=(8,)).run(budget_s=0.1)
    assert len({id(x) for x in seen}) == 1


def test_a_race_can_be_stopped():
    cancel = threading.Event()
    result = a_race(sizes=(4, 64, 256)).run(budget_s=30, cancel=cancel, on_progress=lambda progress: cancel.set())
    assert result.cancelled
    assert result.point("loop", 256) is None


def test_progress_carries_the_result_so_far():
    told = []
    a_race().run(budget_s=0.6, on_progress=told.append)
    assert [each.fraction for each in told] == sorted(each.fraction for each in told)
    assert told[-1].fraction == 1.0
    assert {each.result.race for each in told} == {"test"}
    assert any("racing" in each.message and each.result.points for each in told)


def test_a_result_survives_json():
    result = a_race({"loop": loop, "whole": whole, "wrong": np.negative}).run(budget_s=0.2)
    assert RaceResult.from_json(result.to_json()) == result


def test_the_steady_text_is_the_same_in_every_run():
    described = a_race({"loop": loop, "whole": whole, "wrong": np.negative})
    texts = {described.run(budget_s=budget).steady_text() for budget in (0.1, 0.3)}
    assert texts == {"Race test: loop · whole · wrong, n = 4 to 64\nwrong: wrong"}


def test_the_share_of_the_limit_is_bound_over_time():
    point = Point(8, "fast", "measured", seconds=2e-6, ratio=Ratio(5, 4.5, 5.5), verdict="faster")
    result = RaceResult(
        race="t",
        baseline="slow",
        contenders=("slow", "fast"),
        sizes=(8,),
        points=(point,),
        device="cpu",
        machine="Some CPU, 2 cores",
        threads=1,
        versions={"torch": "2.13.0", "python": "3.11.7"},
        date="2026-01-31",
        bounds={8: Bound(1e-6, "memory bandwidth")},
    )
    assert result.share(point) == 0.5
    assert result.finding() == (
        "'fast' is 5.00× (4.50–5.50) as fast as 'slow' at n = 8; "
        "at n = 8 'fast' reaches 50\N{NO-BREAK SPACE}% of the machine's memory bandwidth."
    )
    assert result.signature() == "Some CPU, 2 cores · cpu, 1 thread · torch 2.13.0 · 2026-01-31"
    unsettled = replace(result, bounds={8: Bound(1e-6, "memory bandwidth", uncertain=True)})
    assert "reaches ≈\N{NO-BREAK SPACE}50\N{NO-BREAK SPACE}% of" in unsettled.finding()


def told(about, *points, sizes=(1, 64)):
    """A finding over points of the form (contender, size, ratio)."""
    raced = tuple(
        Point(size, name, "measured", 1e-3, ratio=Ratio(ratio, 0.9 * ratio, 1.1 * ratio), verdict=verdict)
        if ratio
        else Point(size, name, "wrong")
        for name, size, ratio in points
        for verdict in ["faster" if (ratio or 1) > 1 else "slower"]
    )
    contenders = ("list", *dict.fromkeys(name for name, _, _ in points))
    return RaceResult("r", "list", contenders, sizes, raced, "cpu", "CPU", 1, {}, "2026-01-31", about=about).finding()


def test_a_race_that_shows_where_something_loses_says_so_whoever_else_is_fast():
    points = ("where", 1, 0.1), ("where", 64, 4.0), ("loop", 1, 0.2), ("loop", 64, 9.0)
    assert told("where", *points) == (
        "'where' loses to 'list': 0.100× (0.0900–0.110) as fast at n = 1, and wins from n = 64 on."
    )
    assert told("", *points).startswith("'loop' is 9.00×")
    assert told("where", ("where", 1, 2.0), ("where", 64, 4.0)).startswith("'where' is 4.00×")


def test_a_wrong_contender_is_in_the_headline():
    assert told("", ("divided", 1, 2.0), ("divided", 64, None), ("loop", 1, 1.5), ("loop", 64, 3.0)).startswith(
        "'divided' is wrong at n = 64; 'loop' is 3.00×"
    )
    assert told("divided", ("divided", 1, None), ("divided", 64, None)) == "'divided' is wrong at n = 1 and above."


def test_a_race_about_nobody_in_it_is_refused():
    for about in ("hwole", "loop"):
        with pytest.raises(
            RaceError, match=f"about='{about}' is no rival of the baseline in race 'test'; choose one of: loop"
        ):
            a_race(about=about)


def test_noise_in_a_size_does_not_tilt_the_extrapolation():
    points = [
        Point(10, "loop", "measured", seconds=1e-5, samples=(1e-5, 1.1e-5)),
        Point(100, "loop", "measured", seconds=5e-4, samples=(1e-4, 5e-4, 9e-4)),
    ]
    assert predicted_s(points, "loop", 1000) == pytest.approx(1e-3)
    assert predicted_s(points, "loop", 200) == pytest.approx(5e-4), "more work is never said to take less"


def test_the_limit_stands_in_the_result_once_it_is_known(tmp_path, monkeypatch):
    from made_up_limits import PEAKS

    monkeypatch.setattr("course_utils.limits.known", lambda device, threads: PEAKS)
    result = a_race(sizes=(4096,), cost=lambda size: Cost(reads=8 * size, writes=8 * size)).run(budget_s=0.1)
    assert result.bounds[4096].binding == "memory bandwidth"
    assert 0 < result.share(result.nearest_to_limit())


def test_the_limits_of_what_races_are_measured_where_the_race_has_a_use_for_them(monkeypatch):
    asked = []
    monkeypatch.setattr("course_utils.limits.ensure", lambda *about: asked.append(about))
    a_race().know_limits()
    assert not asked
    costly = a_race(cost=lambda size: Cost(reads=8 * size))
    costly.know_limits(device="cuda:0", threads=2, on_progress=print)
    assert asked == [("cuda:0", 2, print, None)]
    costly.run(budget_s=0.1)
    assert len(asked) == 1, "a race itself measures no limits: *Run All* would take long"


def test_work_that_no_framework_does_is_held_against_numpys_limit(monkeypatch):
    from made_up_limits import PEAKS

    asked = []
    monkeypatch.setattr("course_utils.limits.known", lambda device, threads: PEAKS)
    monkeypatch.setattr("course_utils.limits.bound", lambda *about: asked.append(about))
    monkeypatch.setattr("course_utils.frameworks.loaded", list)
    a_race(sizes=(4096,), cost=lambda size: Cost(reads=8 * size)).run(budget_s=0.1)
    assert {framework for _, _, framework in asked} == {"numpy"}


@pytest.mark.parametrize(
    ("describe", "words"),
    [
        (lambda: a_race({"loop": 3}), "'loop' of race 'test' is of type int"),
        (lambda: race("test", {}, numbers, [1]), "no contenders"),
        (lambda: a_race(sizes=()), "sizes () of race 'test' do not grow"),
        (lambda: a_race(sizes=(4, 2)), "sizes (4, 2)"),
        (lambda: a_race(sizes=(4, 4)), "sizes (4, 4)"),
        (lambda: a_race(sizes=(0, 4)), "sizes (0, 4)"),
        (lambda: a_race(sizes=(1.5,)), "sizes (1.5,)"),
        (lambda: a_race(sizes=4), "sizes 4 of race"),
        (lambda: a_race(sizes=np.array([4, 2])), "sizes array([4, 2])"),
        (lambda: a_race(cost=5), "cost of race 'test' is of type int"),
        (
            lambda: a_race(cost=lambda size: Cost(reads=1 / 0)),
            "cost of race 'test' raised, at n = 4, ZeroDivisionError",
        ),
        (lambda: a_race(cost=lambda size: 8 * size), "cost of race 'test' is of type int at n = 4; return a Cost"),
        (lambda: a_race(inputs=3), "inputs of race 'test' is of type int"),
        (lambda: a_race(baseline="fastest"), "'fastest' of race 'test' is none of its contenders: loop, whole"),
    ],
)
def test_bad_descriptions_get_one_sentence(describe, words):
    with pytest.raises(RaceError) as caught:
        describe()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_sizes_may_be_numpys():
    assert a_race(sizes=np.array([4, 16])).sizes == (4, 16)


def test_a_comparison_that_raises_is_not_blamed_on_the_inputs():
    result = a_race(same=lambda expected, given: 1 / 0).run(budget_s=0.05)
    assert "The comparison of 'whole' with the others raised, at n = 4, Zero" in result.point("whole", 4).note
    assert result.point("loop", 4).status == "measured"


def test_too_few_runs_are_not_called_nothing():
    result = a_race(sizes=(4,)).run(budget_s=0.05)
    cut = tuple(replace(each, ratio=Ratio(2.0, None, None)) for each in result.points)
    assert replace(result, points=cut).finding() == "Too few runs for a comparison in the time that there was."


def test_a_missing_device_is_named():
    with pytest.raises(DeviceMissing, match="'cuda:3'"):
        a_race().run(device="cuda:3")
