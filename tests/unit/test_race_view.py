"""The view of a race: buttons that act, a page that is complete, threads that end. In this process and in a real kernel."""

import dataclasses
import html
import signal
import threading
import time

import pytest

from course_utils.learner import store
from course_utils.races import race, recordings
from course_utils.ui import track
from course_utils.ui.race_view import RaceView


def pause(seconds):
    return lambda n: time.sleep(seconds)


def small_race(id="small", sizes=(1, 2, 4), **contenders):
    contenders = contenders or {"slow": pause(0.004), "fast": pause(0.001)}
    return race(id, contenders, lambda n, device: (n,), sizes)


def finished(view, within=10.0):
    """Wait until no run is under way; fails when one outlives `within` seconds."""
    end = time.monotonic() + within
    while view.stop_button.disabled is False or view.run_button.disabled:
        assert time.monotonic() < end, "the run did not end"
        time.sleep(0.01)
    return view


def seen(sight, within=60.0):
    """Wait until ``sight()`` is true: a busy machine takes longer, and that is no fault."""
    end = time.monotonic() + within
    while not sight():
        assert time.monotonic() < end, "it was never seen"
        time.sleep(0.01)


def racing():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("race ")]


@pytest.fixture(autouse=True)
def own_places(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path / "progress"))
    monkeypatch.setattr(recordings, "folder", lambda: tmp_path)
    yield tmp_path
    track.stop_all()


class Worked:
    """Seconds of work since it was made: what this process computed and what ``pausing`` contenders slept.

    Promises in seconds are held to work, not to the clock: a busy neighbour drives the clock on.
    """

    def __init__(self):
        self.pauses = []
        self.start = time.process_time()

    def pausing(self, seconds):
        def contender(n):
            self.pauses.append(seconds)
            time.sleep(seconds)

        return contender

    def restart(self):
        self.__init__()

    def seconds(self):
        return sum(self.pauses) + time.process_time() - self.start


def test_run_shows_progress_a_growing_chart_and_the_finding():
    view = RaceView(small_race())
    bars = []
    view.bar.observe(lambda change: bars.append(change["new"]), "value")
    view.run_button.click()
    seen(lambda: "as fast as &#x27;slow&#x27;" in view.finding.value and max(bars) > 0.1)
    view.stop_button.click()
    finished(view)
    assert bars[:-1] == sorted(bars[:-1])
    assert "as fast as &#x27;slow&#x27;" in view.finding.value
    assert "All figures" in view.table.value


def test_the_bar_is_there_only_while_something_runs():
    view = RaceView(small_race())
    assert view.bar.layout.display == "none"
    view.start()
    assert view.bar.layout.display == ""
    view.stop()
    assert finished(view).bar.layout.display == "none"


def test_what_all_contenders_have_in_common_is_said_once():
    view = RaceView(race("no-inputs", {"slow": abs, "fast": abs}, lambda n, device: 1 / 0, [1, 2]))
    view.start()
    assert finished(view).finding.value.count("The inputs raised") == 1


def test_the_first_chart_comes_within_a_second_and_then_four_a_second():
    work, charts = Worked(), []
    view = RaceView(small_race(slow=work.pausing(0.004), fast=work.pausing(0.001)))
    view.chart.observe(lambda change: charts.append(work.seconds()), "value")
    work.restart()
    view.run_button.click()
    seen(lambda: len(charts) >= 5)
    view.stop_button.click()
    finished(view)
    assert charts[0] < 1
    assert charts[4] < 2


def test_stop_acts_between_two_calls_and_keeps_what_was_measured():
    work = Worked()
    view = RaceView(small_race(slow=work.pausing(0.004), fast=work.pausing(0.001)))
    view.run_button.click()
    seen(lambda: "<svg" in view.chart.value)
    work.restart()
    view.stop_button.click()
    finished(view)
    assert work.seconds() < 0.5
    assert "Stopped" in view.message.value
    assert "<svg" in view.chart.value
    assert racing() == []


def test_a_run_that_is_stopped_at_once_leaves_the_chart_that_was_there():
    view = RaceView(small_race())
    view.finish(small_race().run(budget_s=0.1))
    chart, finding = view.chart.value, view.finding.value
    stopped = threading.Event()
    stopped.set()
    view.finish(small_race().run(cancel=stopped))
    assert (view.chart.value, view.finding.value) == (chart, finding)
    assert "Stopped" in view.message.value


def test_a_double_click_starts_one_race():
    view = RaceView(small_race())
    view.start()
    view.start()
    assert len(racing()) == 1
    view.stop()
    finished(view)


def test_two_races_never_run_together_and_the_second_says_for_whom_it_waits():
    running, most = [], []

    def noted(name):
        def call(n):
            running.append(name)
            most.append(len(set(running)))
            time.sleep(0.002)
            running.remove(name)

        return call

    first, second = (RaceView(small_race(id, slow=noted(id), fast=noted(id))) for id in ("first", "second"))
    first.start()
    time.sleep(0.3)
    second.start()
    time.sleep(0.3)
    assert "Waiting for the race &#x27;first&#x27;" in second.message.value
    first.stop()
    finished(first)
    time.sleep(0.5)
    assert "racing" in second.message.value
    second.stop()
    finished(second)
    assert max(most) == 1


def test_a_waiting_race_can_be_stopped():
    first, second = RaceView(small_race("first")), RaceView(small_race("second"))
    first.start()
    second.start()
    second.stop()
    finished(second)
    first.stop()
    finished(first)


def test_a_new_view_of_the_same_race_takes_over():
    old, new = RaceView(small_race()), RaceView(small_race())
    old.start()
    time.sleep(0.3)
    new.start()
    finished(old)
    assert "Stopped" in old.message.value
    new.stop()
    finished(new)


def test_a_missing_device_is_a_sentence_in_the_view():
    view = RaceView(small_race())
    view.device.options = ["cuda:7"]
    view.start()
    finished(view)
    assert "There is no device &#x27;cuda:7&#x27;" in view.message.value and 'role="alert"' in view.message.value


def test_what_nobody_expected_is_a_sentence_in_the_view():
    class Goodbye(BaseException):
        pass

    def leave(n):
        raise Goodbye("and thanks")

    view = RaceView(small_race(slow=leave, fast=pause(0.001)))
    view.start()
    finished(view)
    assert "The race stopped with Goodbye: and thanks" in view.message.value


def test_a_wrong_contender_is_named_wrong():
    view = RaceView(small_race(right=lambda n: n, wrong=lambda n: n + 1))
    view.start()
    seen(lambda: "is wrong" in view.finding.value)
    view.stop()
    finished(view)
    assert "&#x27;wrong&#x27; is wrong at n = 1" in view.finding.value


def test_the_best_ratio_and_the_guess_meet_in_progress_and_view():
    store.record_guess("small", 4)
    view = RaceView(small_race(sizes=[4]))
    view.start()
    seen(lambda: "You guessed 4×" in view.finding.value and "at n = 4" in view.finding.value)
    view.stop()
    finished(view)
    assert "You guessed 4× and it was" in view.finding.value
    assert "your guess: 4×" in view.chart.value
    assert store.read()["races"]["small"]["ratio"] > 1


@pytest.fixture
def recorded(own_places):
    here = small_race().run(budget_s=0.3)
    versions = {"torch": "2.13.0"}  # what else this process has loaded would make the signature too long for one line
    there = dataclasses.replace(here, device="cuda:0", machine="Some GPU", date="2030-01-02", versions=versions)
    recordings.save([there], "some-gpu", own_places)
    return there


def test_a_recording_stands_in_for_a_device_that_is_missing(recorded):
    view = RaceView(small_race())
    view.device.value = "cuda:0"
    assert f"recorded on {recorded.signature()}" in view.chart.value
    assert view.run_button.disabled
    view.device.value = "cpu"
    assert not view.run_button.disabled


def test_a_result_of_this_machine_comes_back_with_its_device(recorded):
    view = RaceView(small_race())
    view.finish(small_race().run(budget_s=0.3))
    own = view.finding.value
    view.device.value = "cuda:0"
    view.device.value = "cpu"
    assert view.finding.value == own and "recorded on" not in view.chart.value


SETUP = """
import threading, time
from course_utils.races import race
from course_utils.ui.race_view import RaceView

def pause(seconds):
    return lambda n: time.sleep(seconds)

def racing():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("race ")]

demo = race("demo", {"slow": pause(0.004), "fast": pause(0.001)}, lambda n, device: (n,), [1, 2, 4])
other = race("other", {"slow": pause(0.004), "fast": pause(0.001)}, lambda n, device: (n,), [1, 2, 4])
"""


class Kernel:
    """A real kernel, and the outputs of what it executes."""

    def __init__(self):
        from jupyter_client.manager import start_new_kernel

        self.manager, self.client = start_new_kernel()

    def begin(self, source):
        return self.client.execute(source)

    def end(self, request):
        outputs = []
        while True:
            message = self.client.get_iopub_msg(timeout=30)
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["content"].get("execution_state") == "idle":
                return outputs
            if message["msg_type"] in ("stream", "display_data", "execute_result", "error"):
                outputs.append((message["msg_type"], message["content"]))

    def run(self, source):
        return self.end(self.begin(source))

    def value(self, source):
        """The printed value of an expression, evaluated as Python."""
        outputs = self.run(f"print(repr({source}))")
        assert {kind for kind, _ in outputs} == {"stream"}, outputs
        return eval("".join(content["text"] for _, content in outputs))  # a busy kernel sends a line in two pieces

    def interrupt(self):
        self.manager.interrupt_kernel()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UNLOOP_HOME", str(tmp_path_factory.mktemp("progress")))
        kernel = Kernel()
    assert kernel.run(SETUP) == []
    assert kernel.run("import course_utils") == []
    yield kernel
    kernel.client.stop_channels()
    kernel.manager.shutdown_kernel(now=True)


def test_executing_the_cell_publishes_a_widget_and_a_still_for_every_kind_of_page(kernel):
    (_, live), (_, still), *more = kernel.run("demo")
    assert more == []
    assert set(live["data"]) == {"application/vnd.jupyter.widget-view+json"}
    assert set(still["data"]) == {"text/plain", "image/png", "text/html"}
    assert still["data"]["text/plain"] == "Race demo: slow · fast, n = 1 to 4\nall results agree"
    picture = still["metadata"]["image/png"]
    assert picture["width"] == 880
    assert picture["alt"].startswith("Chart of the race demo: time per call against size for slow, fast.")
    assert f'alt="{html.escape(picture["alt"])}"' in still["data"]["text/html"]


def test_an_interrupt_of_an_idle_kernel_stops_every_race(kernel):
    kernel.run("views = RaceView(demo), RaceView(other)\nfor view in views: view.start()")
    assert kernel.value("racing()") == ["race demo", "race other"]
    kernel.interrupt()
    seen(lambda: kernel.value("racing()") == [])
    assert kernel.value("['Stopped' in view.message.value for view in views]") == [True, True]


def test_an_interrupt_of_a_cell_stops_the_cell_and_every_race(kernel):
    request = kernel.begin("view = RaceView(demo)\nview.start()\ntime.sleep(30)")
    time.sleep(0.7)
    kernel.interrupt()
    ((kind, content),) = kernel.end(request)
    assert (kind, content["ename"]) == ("error", "KeyboardInterrupt")
    seen(lambda: kernel.value("racing()") == [])


def test_an_interrupt_of_the_first_look_leaves_a_page_and_one_sentence(kernel):
    request = kernel.begin("demo")
    time.sleep(0.6)
    kernel.interrupt()
    *shown, (kind, error) = kernel.end(request)
    assert ([each for each, _ in shown], kind) == (["display_data", "display_data"], "error")
    assert error["traceback"] == ["Stopped by an interrupt; execute the cell again, or press Run, to race to the end."]


def test_executing_the_cell_again_while_its_race_runs_leaves_no_thread(kernel):
    kernel.run("view = RaceView(demo)\nview.start()")
    time.sleep(0.3)
    assert [kind for kind, _ in kernel.run("demo")] == ["display_data", "display_data"]
    assert kernel.value("racing()") == []
    assert kernel.value("view.run_button.disabled") is False


def test_interrupts_work_as_ever_where_no_race_runs(kernel):
    request = kernel.begin("time.sleep(30)")
    time.sleep(0.5)
    kernel.interrupt()
    ((kind, content),) = kernel.end(request)
    assert (kind, content["ename"]) == ("error", "KeyboardInterrupt")


def test_outside_a_kernel_the_handling_of_interrupts_is_left_alone():
    before = signal.getsignal(signal.SIGINT)
    track.heed_interrupts()
    assert signal.getsignal(signal.SIGINT) is before


ON_COLAB = """
import sys, types
sys.modules["google.colab"] = types.ModuleType("google.colab")
view = RaceView(demo)
ids = {name: widget.comm.comm_id for name, widget in vars(view).items() if hasattr(widget, "comm")}
"""


@pytest.fixture
def colab(kernel):
    """A kernel as on Colab, the ids of a view's widgets by name, and a click on its Run as the page sends it."""
    assert kernel.run(ON_COLAB) == []
    ids = kernel.value("ids")

    def click():
        content = {"comm_id": ids["run_button"], "data": {"method": "custom", "content": {"event": "click"}}}
        message = kernel.client.session.msg("comm_msg", content)
        kernel.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    yield ids, click
    kernel.run("del sys.modules['google.colab']")


def told_while_busy(kernel, request, watch=lambda told: None, within=60.0):
    """What widgets were told as Colab shows it: only what belongs to the message ``request``, while that is being handled."""
    told = []
    end = time.monotonic() + within
    while time.monotonic() < end:
        message = kernel.client.get_iopub_msg(timeout=within)
        if message["parent_header"].get("msg_id") != request:
            continue
        content = message["content"]
        if content.get("execution_state") == "idle":
            return told
        if message["msg_type"] == "comm_msg":
            told += [(content["comm_id"], *each) for each in content["data"].get("state", {}).items()]
            watch(told)
    raise AssertionError("the click was never answered")


def test_on_colab_a_click_is_answered_from_its_first_bar_to_its_end(kernel, colab):
    ids, click = colab
    kernel.run(
        "import functools; view._race = types.SimpleNamespace(**{**vars(demo)}, run=functools.partial(demo.run, budget_s=1.0))"
    )
    told = told_while_busy(kernel, click())
    bars = [value for widget, trait, value in told if (widget, trait) == (ids["bar"], "value")]
    charts = [value for widget, trait, value in told if (widget, trait) == (ids["chart"], "value")]
    assert len(bars) > 4 and bars[-1] == 1.0
    assert len(charts) > 4
    assert [value for widget, trait, value in told if (widget, trait) == (ids["run_button"], "disabled")] == [
        True,
        False,
    ]
    assert any("interrupt the kernel" in str(value) for *_, value in told)


def test_on_colab_an_interrupt_stops_the_race_and_nothing_is_thrown(kernel, colab):
    ids, click = colab
    moments = []

    def interrupt_at_the_first_chart(told):
        if not moments and any(widget == ids["chart"] for widget, *_ in told):
            kernel.interrupt()
            moments.append(time.monotonic())

    told = told_while_busy(kernel, click(), interrupt_at_the_first_chart)
    assert time.monotonic() - moments[0] < 2
    assert any("Stopped" in str(value) for *_, value in told)
    assert kernel.value("(view.run_button.disabled, view.stop_button.layout.display)") == (False, "none")
