"""Races: agreement before time, extrapolation instead of waiting, and errors as sentences."""

import json
import math
import sys
import threading
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from virtual_clock import VirtualClock

from course_utils.frameworks.devices import DeviceMissing
from course_utils.limits import Bound, Cost
from course_utils.races import Point, RaceError, RaceResult, race
from course_utils.races.extrapolation import extrapolate, extrapolated_point, extrapolated_seconds
from course_utils.races.finding import finding, steady_text
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


@pytest.mark.slow
def test_agreeing_contenders_are_measured_at_every_size():
    result = a_race().run(budget_s=0.6)
    assert statuses(result, "loop") == statuses(result, "whole") == ["measured", "measured"]
    assert result.point("whole", 64).ratio.value > 1
    assert result.headline().contender == "whole"
    assert "'whole' is" in finding(result)
    assert "at n = 64" in finding(result)


@pytest.mark.parametrize(
    ("wrong", "because"),
    [
        (lambda x: x * 3, "values that differ"),
        (lambda x: (x * 2).astype(np.float32), "dtype float32 instead of float64"),
        (lambda x: (x * 2)[:-1], "shape (3,) instead of (4,)"),
        (lambda x: list(x * 2), "type list instead of"),
    ],
)
def test_wrong_contender_is_named_and_not_timed(wrong, because):
    result = a_race({"loop": loop, "wrong": wrong}).run(budget_s=0.2)
    point = result.point("wrong", 4)
    assert (point.status, point.seconds) == ("wrong", None)
    assert "'wrong' is wrong at n = 4" in point.note
    assert because in point.note
    assert result.point("loop", 4).status == "measured"
    assert math.isnan(result.seconds("wrong", 4)) and result.seconds("loop", 4) == result.point("loop", 4).seconds


@pytest.fixture
def taking(monkeypatch):
    """``taking(seconds)`` makes a contender whose call takes that long, ``seconds(n)`` if it is callable, in virtual
    time.
    """
    clock = VirtualClock()
    monkeypatch.setattr(sys.modules["course_utils.timing.compare"], "stopwatch", lambda device: clock)

    def contender(seconds):
        def double(x):
            double.sizes.append(len(x))
            clock.spend(seconds(len(x)) if callable(seconds) else seconds)
            return whole(x)

        double.sizes = []
        return double

    return contender


def test_contender_over_budget_is_extrapolated(taking):
    slow = taking(lambda n: 1e-5 * n)
    result = a_race({"slow": slow, "quick": taking(1e-4)}, sizes=(100, 1000, 10**5)).run(budget_s=0.8)
    point = result.point("slow", 10**5)
    assert point.status == "extrapolated"
    assert point.seconds == pytest.approx(1.0, rel=0.01)
    assert max(slow.sizes) == 1000
    assert result.point("quick", 10**5).status == "measured"
    assert result.headline().size < 10**5, "no ratio is claimed where one side was not run"


def test_quick_contender_is_measured_at_every_size(taking):
    race = a_race({"slow": taking(0.3), "quick": taking(0.0025)}, sizes=(1, 2, 4, 8))
    result = race.run(budget_s=0.6)
    assert statuses(result, "slow")[0] == "measured" and "skipped" in statuses(result, "slow"), (
        "the slow contender has used up its time"
    )
    assert statuses(result, "quick") == ["measured"] * 4


def test_a_quick_baseline_is_measured_before_slow_contenders_use_the_budget(taking):
    contenders = {"slow": taking(lambda n: 8e-4 * n * n), "quick": taking(lambda n: 1e-6 * n * n), "flat": taking(0.01)}
    result = a_race(contenders, sizes=(8, 32, 128), baseline="quick").run(budget_s=2.0)
    assert statuses(result, "quick") == ["measured"] * 3


def test_second_size_is_measured_if_two_calls_fit(taking):
    result = a_race({"flat": taking(0.004), "quick": taking(1e-4)}, sizes=(10, 200, 400)).run(budget_s=1.2)
    assert statuses(result, "flat") == ["measured"] * 3


def test_extrapolation_needs_two_points(taking):
    result = a_race({"flat": taking(0.3), "quick": taking(1e-4)}, sizes=(4, 4000, 40_000)).run(budget_s=0.6)
    assert statuses(result, "flat") == ["measured", "skipped", "skipped"]
    assert "one measured size does not show how its time grows" in result.point("flat", 4000).note
    assert len(result.timed("flat")) == 1
    assert result.fastest(at=40_000) is None, "a skipped contender may be the fastest"


def test_contender_without_time_for_a_call_is_skipped(taking):
    contenders = {"quick": taking(1e-4), "slow": taking(0.06), "slower": taking(0.07)}
    result = a_race(contenders, sizes=(1,)).run(budget_s=0.1)
    assert result.point("quick", 1).status == "skipped"


def test_intermediate_size_shows_a_flat_line_before_a_size_is_skipped(taking):
    flat = taking(0.02)
    result = a_race({"flat": flat, "quick": taking(1e-4)}, sizes=(10, 1000, 100_000)).run(budget_s=1.5)
    assert statuses(result, "flat") == ["measured"] * 3
    assert 20 in flat.sizes and result.sizes == (10, 1000, 100_000)
    assert {point.size for point in result.points} == {10, 1000, 100_000}, (
        "an intermediate size only serves extrapolation"
    )


def test_a_slow_first_call_at_an_intermediate_size_does_not_bend_a_flat_line(taking):
    called = set()

    def seconds(n):
        is_first = n not in called
        called.add(n)
        return 0.04 if is_first else 0.02

    result = a_race({"flat": taking(seconds), "quick": taking(1e-4)}, sizes=(4, 64, 1024)).run(budget_s=0.9)
    assert called == {4, 8, 64}
    assert statuses(result, "flat") == ["measured", "measured", "extrapolated"]
    assert result.point("flat", 1024).seconds == pytest.approx(0.02)


def test_a_contender_whose_only_timed_call_was_delayed_is_measured_again_before_it_is_left_out(taking):
    calls = defaultdict(int)

    def seconds(n):
        calls[n] += 1
        return 0.5 if n < 256 and calls[n] == 2 else 1e-4  # The first call checks the result, the second one is timed.

    result = a_race({"slow": taking(1e-3), "quick": taking(seconds)}, sizes=(4, 64, 1024)).run(budget_s=0.6)
    assert result.point("quick", 4).rounds == result.point("quick", 64).rounds == 0
    assert statuses(result, "quick") == ["measured"] * 3


def test_inputs_without_an_intermediate_size_do_not_end_the_race(taking):
    def only_tens(size, device):
        assert size in (10, 1000), "no such size"
        return (np.arange(float(size)),)

    contenders = {"slow": taking(0.02), "quick": taking(1e-4)}
    result = a_race(contenders, inputs=only_tens, sizes=(10, 1000)).run(budget_s=0.8)
    assert statuses(result, "slow") == ["measured", "skipped"]
    assert statuses(result, "quick") == ["measured"] * 2


def test_peak_is_not_extrapolated_from_one_size():
    torch = pytest.importorskip("torch")
    flat = lambda x: torch.zeros(1024)[0] + x.sum()
    whole_sum = lambda x: x.sum()
    inputs = lambda size, device: (torch.arange(float(size)),)
    race = a_race({"whole": whole_sum, "flat": flat}, inputs=inputs, sizes=(8, 32, 128), memory=8192)
    result = race.run(budget_s=0.4)
    point = result.point("flat", 32)
    assert (point.status, point.peak) == ("skipped", None)
    assert "this race allows 8 KB, and one measured size" in point.note and "would have" not in point.note


@pytest.mark.parametrize("error", [ValueError("too few values"), SystemExit("too few values")])
def test_contender_that_raises_is_named_and_the_others_race(error):
    def fragile(x):
        raise error

    result = a_race({"loop": loop, "fragile": fragile, "whole": whole}).run(budget_s=0.2)
    assert statuses(result, "fragile") == ["failed", "failed"]
    assert (
        result.point("fragile", 4).note == f"'fragile' raised an error at n = 4: {type(error).__name__}: too few values"
    )
    assert statuses(result, "whole") == ["measured", "measured"]
    assert "fragile: failed" in steady_text(result)


def test_inputs_that_fail_at_one_size_do_not_end_the_race():
    def inputs(size, device):
        if size == 16:
            raise OSError("no such file")
        return numbers(size, device)

    result = a_race(inputs=inputs, sizes=(4, 16, 64)).run(budget_s=0.3)
    assert statuses(result, "loop") == ["measured", "failed", "measured"]
    assert "The inputs raised an error at n = 16: OSError" in result.point("loop", 16).note


def test_running_out_of_memory_ends_the_race_with_a_note():
    def greedy(x):
        if len(x) >= 16:
            raise MemoryError
        return whole(x)

    result = a_race({"loop": loop, "greedy": greedy}, sizes=(4, 16, 64)).run(budget_s=0.3)
    assert statuses(result, "greedy") == ["measured", "memory", "skipped"]
    assert result.point("loop", 64).status == "skipped"
    assert steady_text(a_race({"greedy": greedy}, sizes=(16,)).run(budget_s=0.1)).endswith("nothing could be run")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports how much memory is free")
def test_kernel_survives_running_out_of_memory(tmp_path, monkeypatch):
    (tmp_path / "memory.max").write_text(f"{10**9}\n")
    (tmp_path / "memory.current").write_text(f"{9 * 10**8}\n")
    monkeypatch.setattr(memory_limits, "_CONTAINER", tmp_path)  # a container with 100 MB left
    result = a_race({"whole": whole}, sizes=(10**3, 10**6, 10**8, 10**9)).run(budget_s=0.3)
    assert statuses(result, "whole") == ["measured", "measured", "memory", "skipped"]
    assert not memory_limits._limits
    np.ones(3 * 10**7)  # 240 MB: the limit ended with the race


@pytest.mark.slow
def test_memory_budget_counts_peaks_and_stops_larger_contenders():
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
    assert "'pairs' would have 16 KB alive at n = 64, and this race allows 8 KB" in result.point("pairs", 64).note
    assert "has at most" in finding(result)
    assert RaceResult.from_json(result.to_json()) == result


def test_race_without_memory_budget_counts_no_peaks():
    result = a_race().run(budget_s=0.2)
    assert result.memory is None and {point.peak for point in result.points} == {None}
    old = json.loads(result.to_json())
    del old["memory"]
    for point in old["points"]:
        del point["peak"]
    assert RaceResult.from_json(json.dumps(old)) == result


def test_changed_inputs_are_restored_before_each_call():
    def in_place(x):
        x *= 2
        return x

    result = a_race({"whole": whole, "in_place": in_place, "loop": loop}, sizes=(8,)).run(budget_s=0.2)
    assert {point.status for point in result.points} == {"measured"}


def test_contenders_share_inputs_that_none_changes():
    seen = []

    def watching(x):
        seen.append(x)
        return whole(x)

    a_race({"loop": watching, "whole": watching}, sizes=(8,)).run(budget_s=0.1)
    assert len({id(x) for x in seen}) == 1


def test_race_can_be_stopped():
    cancel = threading.Event()
    result = a_race(sizes=(4, 64, 256)).run(budget_s=30, cancel=cancel, on_progress=lambda progress: cancel.set())
    assert result.cancelled
    assert result.point("loop", 256) is None


@pytest.mark.slow
def test_progress_contains_the_result_so_far():
    reports = []
    a_race().run(budget_s=0.6, on_progress=reports.append)
    assert [each.fraction for each in reports] == sorted(each.fraction for each in reports)
    assert reports[-1].fraction == 1.0
    assert {each.result.race for each in reports} == {"test"}
    assert any("racing" in each.message and each.result.points for each in reports)


def test_result_survives_json():
    result = a_race({"loop": loop, "whole": whole, "wrong": np.negative}).run(budget_s=0.2)
    assert RaceResult.from_json(result.to_json()) == result


def test_steady_text_is_the_same_in_every_run():
    described = a_race({"loop": loop, "whole": whole, "wrong": np.negative})
    texts = {steady_text(described.run(budget_s=budget)) for budget in (0.1, 0.3)}
    assert texts == {"Race test: loop · whole · wrong, n = 4 to 64\nwrong: wrong"}


def test_share_of_the_limit_is_bound_over_time():
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
    assert finding(result) == (
        "'fast' is 5.00× (4.50–5.50) as fast as 'slow' at n = 8 "
        "and reaches 50\N{NO-BREAK SPACE}% of the limit (memory bandwidth)."
    )
    assert result.signature() == "Some CPU, 2 cores · cpu, 1 thread · torch 2.13.0 · 2026-01-31"
    stepwise = replace(result, bounds={8: Bound(1e-6, "dependent steps")})
    assert finding(stepwise).endswith("and takes 2.00× as long as the limit (dependent steps).")
    unsettled = replace(result, bounds={8: Bound(1e-6, "memory bandwidth", uncertain=True)})
    assert "reaches ≈\N{NO-BREAK SPACE}50\N{NO-BREAK SPACE}% of" in finding(unsettled)
    too_low = replace(result, bounds={8: Bound(4e-6, "memory bandwidth")})
    assert finding(too_low).endswith("and is 2.00× as fast as the measured memory bandwidth allows.")
    tied = replace(result, points=(replace(point, ratio=Ratio(1.1, 1.05, 1.15)),))
    assert finding(tied).endswith(
        "1.10× (1.05–1.15) as fast; at n = 8 'fast' reaches 50\N{NO-BREAK SPACE}% of the limit (memory bandwidth)."
    )


def finding_of(about, *points, sizes=(1, 64)):
    """Return a finding over points of the form (contender, size, ratio)."""
    raced = tuple(
        Point(size, name, "measured", 1e-3, ratio=Ratio(ratio, 0.9 * ratio, 1.1 * ratio), verdict=verdict)
        if ratio
        else Point(size, name, "wrong")
        for name, size, ratio in points
        for verdict in ["faster" if (ratio or 1) > 1 else "slower"]
    )
    contenders = ("list", *dict.fromkeys(name for name, _, _ in points))
    return finding(RaceResult("r", "list", contenders, sizes, raced, "cpu", "CPU", 1, {}, "2026-01-31", about=about))


def test_headline_reports_where_the_named_contender_is_slower():
    points = ("where", 1, 0.1), ("where", 64, 4.0), ("loop", 1, 0.2), ("loop", 64, 9.0)
    assert finding_of("where", *points) == (
        "'where' takes 10.0× (9.09–11.1) as long as 'list' at n = 1, but is 4.00× (3.60–4.40) as fast at n = 64."
    )
    assert finding_of("", *points).startswith("'loop' is 9.00×")
    assert finding_of("where", ("where", 1, 0.9), ("where", 64, 4.0)).startswith("'where' is 4.00×"), "0.9× is a tie"
    assert finding_of("where", ("where", 1, 2.0), ("where", 64, 4.0)).startswith("'where' is 4.00×")


def test_headline_of_a_tie_reports_where_the_named_contender_is_faster():
    assert finding_of("where", ("where", 1, 8.0), ("where", 64, 0.9)) == (
        "'where' and 'list' are about the same (within 25 %) at n = 64: the first is 0.900× (0.810–0.990) as fast, "
        "but 8.00× (7.20–8.80) as fast at n = 1."
    )


def test_headline_names_a_wrong_contender():
    assert finding_of("", ("divided", 1, 2.0), ("divided", 64, None), ("loop", 1, 1.5), ("loop", 64, 3.0)).startswith(
        "'divided' is wrong at n = 64; 'loop' is 3.00×"
    )
    assert (
        finding_of("divided", ("divided", 1, None), ("divided", 64, None)) == "'divided' is wrong at n = 1 and above."
    )


def test_about_must_name_a_rival_of_the_baseline():
    for about in ("hwole", "loop"):
        with pytest.raises(
            RaceError, match=f"about='{about}' is not a rival of the baseline in race 'test'; choose one of: loop"
        ):
            a_race(about=about)


def test_extrapolation_follows_the_log_log_line_within_slopes_0_and_3():
    assert extrapolate({1: 9.0, 10: 2.0, 20: 8.0}, 40) == pytest.approx(32.0)
    assert extrapolate({10: 4.0, 20: 2.0}, 40) == 2.0
    assert extrapolate({10: 1.0, 20: 1024.0}, 40) == pytest.approx(8 * 1024.0)


def test_nothing_is_extrapolated_far_beyond_two_close_sizes():
    points = [Point(n, "loop", "measured", seconds=1e-6 * n, fastest_s=1e-6 * n) for n in (1_000, 2_000)]
    assert extrapolated_point(points, "loop", 500_000, "the budget").seconds == pytest.approx(0.5)
    too_far = extrapolated_point(points, "loop", 5_000_000, "the budget")
    assert too_far.status == "skipped" and "n = 1,000 and 2,000 are too close together" in too_far.note


def test_extrapolation_ignores_noise_at_one_size():
    points = [
        Point(10, "loop", "measured", seconds=1e-5, fastest_s=1e-5),
        Point(100, "loop", "measured", seconds=5e-4, fastest_s=1e-4),
    ]
    assert extrapolated_seconds(points, "loop", 1000) == pytest.approx(1e-3)
    assert extrapolated_seconds(points, "loop", 200) == pytest.approx(5e-4), "more work never takes less time"


def test_result_contains_the_bounds_if_limits_are_known(tmp_path, monkeypatch):
    from sample_limits import PEAKS

    monkeypatch.setattr("course_utils.limits.load_peaks", lambda device, threads: PEAKS)
    loops = {"loop": loop, "same loop": lambda values: loop(values)}
    costly = a_race(loops, sizes=(4096,), cost=lambda size: Cost(reads=8 * size, writes=8 * size))
    result = costly.run(budget_s=0.1)
    assert result.bounds[4096].binding == "memory bandwidth"
    assert 0 < result.share(result.nearest_to_limit()) < 1


def test_a_limit_that_a_contender_beats_is_measured_again(monkeypatch):
    from sample_limits import PEAKS

    bytes_per_second = 1e6  # A thousandth of what any machine reaches.
    launches_s = {name: dict.fromkeys(mixes, 1e-9) for name, mixes in PEAKS.launches_s.items()}
    bandwidths = {mix: ((2**16, bytes_per_second),) for mix in PEAKS.bandwidths}
    too_low = replace(PEAKS, launches_s=launches_s, bandwidths=bandwidths)
    monkeypatch.setattr("course_utils.limits.load_peaks", lambda device, threads: too_low)
    values = np.ones(2**16)
    copies = race(
        "copies",
        {"loop": lambda values: np.array(list(values)), "copy": np.copy},
        lambda size, device: (values,),
        (len(values),),
        cost=lambda size: Cost(reads=values.nbytes, writes=values.nbytes),
    )
    result = copies.run(budget_s=0.1)
    least_s = result.bounds[len(values)].seconds
    assert least_s < 0.1 * 2 * values.nbytes / bytes_per_second, "1.05 s with the limit that was known"


def test_limits_are_measured_only_for_a_race_with_a_cost(monkeypatch):
    calls = []
    monkeypatch.setattr("course_utils.limits.ensure_peaks", lambda *about: calls.append(about))
    a_race().measure_limits()
    assert not calls
    costly = a_race(cost=lambda size: Cost(reads=8 * size))
    costly.measure_limits(device="cuda:0", threads=2, on_progress=print)
    assert calls == [("cuda:0", 2, print, None)]
    costly.run(budget_s=0.1)
    assert len(calls) == 1, "running a race measures no limits, because *Run All* would take long"


def test_bound_without_a_framework_is_that_of_numpy(monkeypatch):
    from sample_limits import PEAKS

    calls = []
    monkeypatch.setattr("course_utils.limits.load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr("course_utils.limits.bound", lambda *about: calls.append(about))
    monkeypatch.setattr("course_utils.frameworks.loaded", list)
    a_race(sizes=(4096,), cost=lambda size: Cost(reads=8 * size)).run(budget_s=0.1)
    assert {framework for _, _, framework in calls} == {"numpy"}


@pytest.mark.parametrize(
    ("describe", "words"),
    [
        (lambda: a_race({"loop": 3}), "'loop' of race 'test' is of type int"),
        (lambda: race("test", {}, numbers, [1]), "no contenders"),
        (lambda: a_race(sizes=()), "sizes () of race 'test' must be integers"),
        (lambda: a_race(sizes=(4, 2)), "sizes (4, 2)"),
        (lambda: a_race(sizes=(4, 4)), "sizes (4, 4)"),
        (lambda: a_race(sizes=(0, 4)), "sizes (0, 4)"),
        (lambda: a_race(sizes=(1.5,)), "sizes (1.5,)"),
        (lambda: a_race(sizes=4), "sizes 4 of race"),
        (lambda: a_race(sizes=np.array([4, 2])), "sizes array([4, 2])"),
        (lambda: a_race(cost=5), "cost of race 'test' is of type int"),
        (
            lambda: a_race(cost=lambda size: Cost(reads=1 / 0)),
            "cost of race 'test' raised an error at n = 4: ZeroDivisionError",
        ),
        (lambda: a_race(cost=lambda size: 8 * size), "cost of race 'test' is of type int at n = 4; return a Cost"),
        (lambda: a_race(inputs=3), "inputs of race 'test' is of type int"),
        (lambda: a_race(baseline="fastest"), "'fastest' of race 'test' is not one of its contenders: loop, whole"),
    ],
)
def test_bad_description_raises_one_sentence(describe, words):
    with pytest.raises(RaceError) as caught:
        describe()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numpy_sizes_are_accepted():
    assert a_race(sizes=np.array([4, 16])).sizes == (4, 16)


def test_comparison_that_raises_is_named():
    result = a_race(same=lambda expected, given: 1 / 0).run(budget_s=0.05)
    assert "The comparison of 'whole' with the others raised an error at n = 4: Zero" in result.point("whole", 4).note
    assert result.point("loop", 4).status == "measured"


def test_finding_reports_too_few_runs():
    result = a_race(sizes=(4,)).run(budget_s=0.05)
    cut = tuple(replace(each, ratio=Ratio(2.0, None, None)) for each in result.points)
    assert finding(replace(result, points=cut)).endswith("press Run while few other programs run.")


def test_missing_device_is_named():
    with pytest.raises(DeviceMissing, match="'cuda:3'"):
        a_race().run(device="cuda:3")
