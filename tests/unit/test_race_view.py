"""The view of a race: its buttons act, its page is complete, and its threads end."""

import dataclasses
import threading
import time

import pytest
from load_tolerance import WorkTime, wait_until

from course_utils.frameworks import across_frameworks
from course_utils.learner import prediction_questions, progress_file
from course_utils.limits import Bound, Cost
from course_utils.races import race, recordings
from course_utils.ui import run_queue
from course_utils.ui.race_view import RaceView, show


def pause(seconds):
    return lambda n: time.sleep(seconds)


def small_race(id="small", sizes=(1, 2, 4), **contenders):
    contenders = contenders or {"slow": pause(0.004), "fast": pause(0.001)}
    return race(id, contenders, lambda n, device: (n,), sizes)


def finished_view(view):
    """Return the view once no run is under way."""
    wait_until(lambda: view.stop_button.disabled and not view.run_button.disabled)
    return view


def racing():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("race ")]


@pytest.fixture(autouse=True)
def own_places(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path / "progress"))
    monkeypatch.setattr(recordings, "folder", lambda: tmp_path)
    yield tmp_path
    run_queue.stop_all()


@pytest.mark.slow
def test_run_shows_progress_chart_and_finding():
    view = RaceView(small_race())
    bars = []
    view.bar.observe(lambda change: bars.append(change["new"]), "value")
    view.run_button.click()
    wait_until(lambda: "as fast as &#x27;slow&#x27;" in view.finding.value and max(bars) > 0.1)
    view.stop_button.click()
    finished_view(view)
    assert bars[:-1] == sorted(bars[:-1])
    assert "as fast as &#x27;slow&#x27;" in view.finding.value
    assert "All figures" in view.table.value


def test_bar_is_visible_only_during_a_run():
    view = RaceView(small_race())
    assert view.bar.layout.display == "none"
    view.start()
    assert view.bar.layout.display == ""
    view.stop()
    assert finished_view(view).bar.layout.display == "none"


def test_common_note_of_all_contenders_appears_once():
    view = RaceView(race("no-inputs", {"slow": abs, "fast": abs}, lambda n, device: 1 / 0, [1, 2]))
    view.start()
    assert finished_view(view).finding.value.count("The inputs raised an error") == 1


@pytest.mark.parametrize("unsettled", (1, 2))
def test_unsettled_limit_of_any_size_is_marked_and_explained(unsettled):
    described = small_race(sizes=(1, 2))
    view, result = RaceView(described), described.run(budget_s=0.1)
    bounds = {size: Bound(1e-4, "memory bandwidth", uncertain=size == unsettled) for size in (1, 2)}
    view.finish(dataclasses.replace(result, bounds=bounds))
    assert "This limit is uncertain" in view.finding.value and "<code>machine()</code>" in view.finding.value
    assert view.table.value.count("≈\xa0100 µs") == 1
    assert ("≈\xa0memory bandwidth" in view.chart.value) == (unsettled == 2)


@pytest.mark.slow
def test_chart_is_drawn_within_a_second_and_then_four_times_per_second():
    work, charts = WorkTime(), []
    view = RaceView(small_race(slow=work.sleeping(0.004), fast=work.sleeping(0.001)))
    view.chart.observe(lambda change: charts.append(work.seconds()), "value")
    work.restart()
    view.run_button.click()
    wait_until(lambda: len(charts) >= 5)
    view.stop_button.click()
    finished_view(view)
    assert charts[0] < 1
    assert charts[4] < 2


def test_stop_ends_the_run_within_half_a_second_of_calls_and_keeps_the_chart():
    work = WorkTime()
    view = RaceView(small_race(slow=work.sleeping(0.004), fast=work.sleeping(0.001)))
    view.run_button.click()
    wait_until(lambda: "<svg" in view.chart.value)
    view.stop_button.click()
    work.restart()
    finished_view(view)
    assert sum(work.sleeps) < 0.5  # seconds of calls that began after the click
    assert "Stopped" in view.message.value
    assert "<svg" in view.chart.value
    assert racing() == []


def test_run_stopped_at_once_keeps_the_earlier_chart():
    view = RaceView(small_race())
    view.finish(small_race().run(budget_s=0.1))
    chart, finding = view.chart.value, view.finding.value
    stopped = threading.Event()
    stopped.set()
    view.finish(small_race().run(cancel=stopped))
    assert (view.chart.value, view.finding.value) == (chart, finding)
    assert "Stopped" in view.message.value


def test_figures_of_an_earlier_run_are_gone_while_a_new_run_is_drawn():
    view = RaceView(small_race())
    view.finish(small_race().run(budget_s=0.1))
    assert "All figures" in view.table.value
    view.start()
    wait_until(lambda: not view.table.value)
    view.stop()
    assert "All figures" in finished_view(view).table.value


def test_first_look_is_named_in_the_notes(monkeypatch):
    shown = []
    monkeypatch.setattr("course_utils.ui.race_view.FIRST_LOOK_S", 0.2)
    monkeypatch.setattr("course_utils.ui.race_view.publish", lambda widget, *still: shown.append(widget))
    show(small_race(sizes=(1, 2, 40), slow=lambda n: time.sleep(0.002 * n), fast=pause(0.001)))
    (view,) = shown
    assert "did not fit the first look&#x27;s 0.2 s at n = 40; its time is extrapolated." in view.children[3].value


def test_double_click_starts_one_race():
    view = RaceView(small_race())
    view.start()
    view.start()
    assert len(racing()) == 1
    view.stop()
    finished_view(view)


def test_second_race_waits_and_names_the_first():
    running, most = [], []

    def recording(name):
        def call(n):
            running.append(name)
            most.append(len(set(running)))
            time.sleep(0.002)
            running.remove(name)

        return call

    first, second = (RaceView(small_race(id, slow=recording(id), fast=recording(id))) for id in ("first", "second"))
    first.start()
    wait_until(lambda: most)
    second.start()
    wait_until(lambda: "Waiting for the race &#x27;first&#x27;" in second.message.value)
    first.stop()
    finished_view(first)
    wait_until(lambda: "racing" in second.message.value)
    second.stop()
    finished_view(second)
    assert max(most) == 1


def test_waiting_race_can_be_stopped():
    first, second = RaceView(small_race("first")), RaceView(small_race("second"))
    first.start()
    second.start()
    second.stop()
    finished_view(second)
    first.stop()
    finished_view(first)


@pytest.mark.slow
def test_new_view_of_the_same_race_stops_the_old_run():
    old, new = RaceView(small_race()), RaceView(small_race())
    old.start()
    wait_until(lambda: "racing" in old.message.value)
    new.start()
    finished_view(old)
    assert "Stopped" in old.message.value
    new.stop()
    finished_view(new)


def test_run_measures_unknown_limits_first(monkeypatch):
    reports, known = [], []

    def ensure(device, threads, on_progress, cancel):
        if not known:
            on_progress(0.5, "launch cost, with torch")
            reports.append((view.message.value, view.bar.value, device, threads))
            known.append(device)

    monkeypatch.setattr("course_utils.limits.ensure_peaks", ensure)
    costly = race(
        "costly",
        {"slow": pause(0.002), "fast": pause(0.001)},
        lambda n, device: (n,),
        (1, 2),
        cost=lambda n: Cost(reads=n),
    )
    view = RaceView(costly)
    for _ in range(2):
        view.start()
        wait_until(lambda: view.chart.value)
        view.stop()
        finished_view(view)
    ((message, share, device, threads),) = reports
    assert "First, measuring the limits of this machine: launch cost, with torch" in message
    with across_frameworks.threads(1) as in_force:  # can be more than one if TensorFlow started with more
        assert (share, device, threads) == (0.5, "cpu", in_force)


def test_stop_ends_the_measurement_of_limits_and_the_race(monkeypatch):
    measuring = threading.Event()

    def ensure(device, threads, on_progress, cancel):
        measuring.set()
        assert cancel.wait(10.0)

    monkeypatch.setattr("course_utils.limits.ensure_peaks", ensure)
    view = RaceView(
        race(
            "costly",
            {"slow": pause(0.002), "fast": pause(0.001)},
            lambda n, device: (n,),
            (1,),
            cost=lambda n: Cost(reads=n),
        )
    )
    view.start()
    assert measuring.wait(10.0)
    view.stop()
    finished_view(view)
    assert "Stopped" in view.message.value


def test_missing_device_is_reported_in_the_view():
    view = RaceView(small_race())
    view.device.options = ["cuda:7"]
    view.start()
    finished_view(view)
    assert "There is no device &#x27;cuda:7&#x27;" in view.message.value and 'role="alert"' in view.message.value


def test_unexpected_error_is_reported_in_the_view():
    class Goodbye(BaseException):
        pass

    def leave(n):
        raise Goodbye("and thanks")

    view = RaceView(small_race(slow=leave, fast=pause(0.001)))
    view.start()
    finished_view(view)
    assert "The race stopped with Goodbye: and thanks" in view.message.value


@pytest.mark.slow
def test_wrong_contender_is_named():
    view = RaceView(small_race(right=lambda n: n, wrong=lambda n: n + 1))
    view.start()
    wait_until(lambda: "is wrong" in view.finding.value)
    view.stop()
    finished_view(view)
    assert "&#x27;wrong&#x27; is wrong at n = 1" in view.finding.value


def guess_small_race(guess, text="How much?", **options):
    """Ask a question about the race `small`, and record the learner's guess."""
    prediction_questions.register_question(prediction_questions.Question("small", text, **options))
    progress_file.record_guess("small", guess)


def test_no_line_breaks_within_a_name_in_the_remark_on_the_guess():
    described = small_race(sizes=(1,))
    view = RaceView(described)
    view._show_finding(described.run(budget_s=0.1), "You said “x”. 'x @ y' took 1.00 ms.")
    assert "x\N{NO-BREAK SPACE}@\N{NO-BREAK SPACE}y" in view.finding.value


@pytest.mark.slow
def test_ratio_and_guess_are_in_progress_and_view():
    guess_small_race(4)
    view = RaceView(small_race(sizes=[4]))
    view.start()
    wait_until(lambda: "at n = 4" in view.finding.value.replace("\N{NO-BREAK SPACE}", " "))
    view.stop()
    finished_view(view)
    assert "You guessed 4×, and it was" in view.finding.value
    assert "your guess: 4×" in view.chart.value
    assert progress_file.read()["races"]["small"]["ratio"] > 1
    assert progress_file.read()["settled"]["small"] in (True, False)


@pytest.fixture
def own_recording(own_places):
    own_result = small_race().run(budget_s=0.3)
    versions = {"torch": "2.13.0"}  # all libraries of this process would make the signature too long for one line
    recorded_result = dataclasses.replace(
        own_result, device="cuda:0", machine="Some GPU", date="2030-01-02", versions=versions
    )
    recordings.save([recorded_result], "some-gpu", own_places)
    return recorded_result


def test_recording_is_shown_for_a_missing_device(own_recording):
    view = RaceView(small_race())
    view.device.value = "cuda:0: Some GPU (recorded)"
    assert f"recorded on {own_recording.signature()}" in view.chart.value
    assert view.run_button.disabled
    view.device.value = "cpu"
    assert not view.run_button.disabled


def test_two_devices_of_the_same_name_are_both_listed(own_recording, own_places):
    recordings.save([dataclasses.replace(own_recording, machine="Another GPU")], "another-gpu", own_places)
    view = RaceView(small_race())
    for machine in ("Some GPU", "Another GPU"):
        view.device.value = f"cuda:0: {machine} (recorded)"
        assert f"recorded on {machine}" in view.chart.value


@pytest.mark.slow
def test_result_of_this_machine_returns_with_its_device(own_recording):
    view = RaceView(small_race())
    view.finish(small_race().run(budget_s=0.3))
    own = view.finding.value
    view.device.value = "cuda:0: Some GPU (recorded)"
    view.device.value = "cpu"
    assert view.finding.value == own and "recorded on" not in view.chart.value
