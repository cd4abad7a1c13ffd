"""The view of a race in a real kernel: outputs for every page, interrupts, and clicks on Colab."""

import html
import signal
import time

import pytest
from load_tolerance import wait_until

import kernel_ports
from course_utils.races import RaceResult
from course_utils.ui import run_queue

pytestmark = pytest.mark.slow


SETUP = """
import threading, time
from course_utils.races import race
from course_utils.ui import run_queue
from course_utils.ui.race_view import RaceView

run_queue.stop_on_interrupt()  # as the view of any race does

def pause(seconds):
    return lambda n: time.sleep(seconds)

def racing():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("race ")]

demo = race("demo", {"slow": pause(0.004), "fast": pause(0.001)}, lambda n, device: (n,), [1, 2, 4])
other = race("other", {"slow": pause(0.004), "fast": pause(0.001)}, lambda n, device: (n,), [1, 2, 4])
"""


class Kernel:
    """A real kernel, and the outputs of its cells."""

    def __init__(self):
        from jupyter_client.manager import start_new_kernel

        self.manager, self.client = start_new_kernel()

    def begin(self, source):
        return self.client.execute(source)

    def wait_for_text(self, request):
        """Return once the cell has printed something."""
        message = {"msg_type": ""}
        while message["msg_type"] != "stream" or message["parent_header"].get("msg_id") != request:
            message = self.client.get_iopub_msg(timeout=30)

    def end(self, request):
        outputs = []
        while True:
            message = self.client.get_iopub_msg(timeout=30)
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["content"].get("execution_state") == "idle":
                return outputs
            is_end_of_line = message["content"].get("text") == "\n"  # a busy kernel sends a line in two pieces
            if message["msg_type"] in ("stream", "display_data", "execute_result", "error") and not is_end_of_line:
                outputs.append((message["msg_type"], message["content"]))

    def run(self, source):
        return self.end(self.begin(source))

    def value(self, source):
        """Return the printed value of an expression, evaluated as Python."""
        outputs = self.run(f"print(repr({source}))")
        assert {kind for kind, _ in outputs} == {"stream"}, outputs
        return eval("".join(content["text"] for _, content in outputs))

    def interrupt(self):
        self.manager.interrupt_kernel()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UNLOOP_HOME", str(tmp_path_factory.mktemp("progress")))
        patch.setenv("UNLOOP_FIRST_LOOK_S", "0.5")  # long enough for an interrupt
        kernel = Kernel()
    assert kernel.run(SETUP) == []
    assert kernel.run("import course_utils") == []
    yield kernel
    kernel.client.stop_channels()
    kernel.manager.shutdown_kernel(now=True)


def test_kernel_has_ports_of_its_test_process(kernel):
    assert set(kernel.manager.ports) <= set(kernel_ports.own_ports())


def test_cell_publishes_a_widget_and_a_still(kernel):
    (_, live), (_, still), *more = kernel.run("demo")
    assert more == []
    assert set(live["data"]) == {"application/vnd.jupyter.widget-view+json"}
    assert set(still["data"]) == {"text/plain", "image/png", "text/html"}
    assert still["data"]["text/plain"] == "Race demo: slow · fast, n = 1 to 4\nall results agree"
    picture = still["metadata"]["image/png"]
    assert picture["width"] == 880
    assert picture["alt"].startswith("Chart of the race demo: time per call against size for 'slow', 'fast'.")
    assert f'alt="{html.escape(picture["alt"])}"' in still["data"]["text/html"]
    result = RaceResult.from_json(still["metadata"]["unloop"]["race"])
    assert (result.race, result.contenders, result.sizes) == ("demo", ("slow", "fast"), (1, 2, 4))
    assert result.point("fast", 4).rounds > 0


def test_interrupt_of_an_idle_kernel_stops_every_race(kernel):
    kernel.run("views = RaceView(demo), RaceView(other)\nfor view in views: view.start()")
    assert kernel.value("racing()") == ["race demo", "race other"]
    kernel.interrupt()
    wait_until(lambda: kernel.value("racing()") == [])
    assert kernel.value("['Stopped' in view.message.value for view in views]") == [True, True]


def test_interrupt_of_a_cell_stops_the_cell_and_every_race(kernel):
    request = kernel.begin("view = RaceView(demo)\nview.start()\nprint('started', flush=True)\ntime.sleep(30)")
    kernel.wait_for_text(request)
    kernel.interrupt()
    ((kind, content),) = kernel.end(request)
    assert (kind, content["ename"]) == ("error", "KeyboardInterrupt")
    wait_until(lambda: kernel.value("racing()") == [])


def test_interrupt_of_the_first_look_leaves_a_page_and_one_sentence(kernel, tmp_path):
    calls = tmp_path / "calls"
    calls.touch()
    kernel.run(
        f"def recording(n):\n    open({str(calls)!r}, 'a').write('.')\n    time.sleep(0.004)\n\n"
        "recorded = race('recorded', {'recording': recording, 'fast': pause(0.001)}, lambda n, device: (n,), [1, 2, 4])"
    )
    request = kernel.begin("recorded")
    wait_until(lambda: calls.stat().st_size > 20)  # it is racing
    kernel.interrupt()
    *shown, (kind, error) = kernel.end(request)
    assert ([each for each, _ in shown], kind) == (["display_data", "display_data"], "error")
    assert error["traceback"] == ["Stopped by an interrupt; run the cell again, or press Run, to race to the end."]


def test_running_the_cell_again_stops_its_race(kernel):
    kernel.run("view = RaceView(demo)\nview.start()")
    time.sleep(0.3)
    assert [kind for kind, _ in kernel.run("demo")] == ["display_data", "display_data"]
    assert kernel.value("racing()") == []
    assert kernel.value("view.run_button.disabled") is False


def test_interrupt_without_a_race_stops_the_cell(kernel):
    request = kernel.begin("print('started', flush=True)\ntime.sleep(30)")
    kernel.wait_for_text(request)
    kernel.interrupt()
    ((kind, content),) = kernel.end(request)
    assert (kind, content["ename"]) == ("error", "KeyboardInterrupt")


def test_interrupt_of_a_measurement_shows_only_the_learners_lines(kernel):
    nap = "def nap():\n    print('started', flush=True)\n    time.sleep(30)\n\n"
    request = kernel.begin(f"{nap}import course_utils\ncourse_utils.compare({{'nap': nap}})")
    kernel.wait_for_text(request)
    kernel.interrupt()
    ((kind, content),) = kernel.end(request)
    assert (kind, content["ename"]) == ("error", "KeyboardInterrupt")
    page = "\n".join(content["traceback"])
    assert "nap" in page
    assert "course_utils/" not in page


def test_interrupt_handler_is_unchanged_outside_a_kernel():
    before = signal.getsignal(signal.SIGINT)
    run_queue.stop_on_interrupt()
    assert signal.getsignal(signal.SIGINT) is before


ON_COLAB = """
import sys, types
sys.modules["google.colab"] = types.ModuleType("google.colab")
view = RaceView(demo)
ids = {name: widget.comm.comm_id for name, widget in vars(view).items() if hasattr(widget, "comm")}
"""


@pytest.fixture
def colab(kernel):
    """Return a kernel as on Colab, the ids of a view's widgets by name, and a click on its Run as the page sends it."""
    assert kernel.run(ON_COLAB) == []
    ids = kernel.value("ids")

    def click():
        content = {"comm_id": ids["run_button"], "data": {"method": "custom", "content": {"event": "click"}}}
        message = kernel.client.session.msg("comm_msg", content)
        kernel.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    yield ids, click
    kernel.run("del sys.modules['google.colab']")


def changes_while_busy(kernel, request, watch=lambda changes: None, within=60.0):
    """Return the widgets' changes that Colab shows: the changes that belong to ``request``, while the kernel handles
    it."""
    changes = []
    end = time.monotonic() + within
    while time.monotonic() < end:
        message = kernel.client.get_iopub_msg(timeout=within)
        if message["parent_header"].get("msg_id") != request:
            continue
        content = message["content"]
        if content.get("execution_state") == "idle":
            return changes
        if message["msg_type"] == "comm_msg":
            changes += [(content["comm_id"], *each) for each in content["data"].get("state", {}).items()]
            watch(changes)
    raise AssertionError("the kernel never answered the click")


def test_click_on_colab_shows_the_race_from_start_to_end(kernel, colab):
    ids, click = colab
    kernel.run(
        "import functools; view._race = types.SimpleNamespace(**vars(demo), measure_limits=demo.measure_limits, "
        "run=functools.partial(demo.run, budget_s=1.0))"
    )
    changes = changes_while_busy(kernel, click())
    bars = [value for widget, trait, value in changes if (widget, trait) == (ids["bar"], "value")]
    charts = [value for widget, trait, value in changes if (widget, trait) == (ids["chart"], "value")]
    assert len(bars) > 4 and bars[-1] == 1.0
    assert len(charts) > 4
    assert [value for widget, trait, value in changes if (widget, trait) == (ids["run_button"], "disabled")] == [
        True,
        False,
    ]
    assert any("interrupt the kernel" in str(value) for *_, value in changes)


def test_interrupt_on_colab_stops_the_race_without_an_error(kernel, colab):
    ids, click = colab
    moments = []

    def interrupt_at_the_first_chart(changes):
        if not moments and any(widget == ids["chart"] for widget, *_ in changes):
            kernel.interrupt()
            moments.append(time.monotonic())

    changes = changes_while_busy(kernel, click(), interrupt_at_the_first_chart)
    assert time.monotonic() - moments[0] < 5  # The rest of the race would take longer.
    assert any("Stopped" in str(value) for *_, value in changes)
    assert kernel.value("(view.run_button.disabled, view.stop_button.layout.display)") == (False, "none")
