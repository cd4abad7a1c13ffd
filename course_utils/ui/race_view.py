"""What a person sees of a race: buttons, progress, chart, finding and table, and a picture for pages without widgets.

The race itself runs after *Run*, in a thread where `clicks` can, and once with a small budget when its cell is executed. Everything drawn
comes from a `RaceResult`; nothing is measured or computed here.
"""

import html
import os
import threading

from course_utils.core.errors import CourseError, summarize_error
from course_utils.frameworks import devices, hardware
from course_utils.learner import progress_file, race_prediction
from course_utils.races import recordings
from course_utils.races.finding import finding, steady_text
from course_utils.ui import background_work, race_chart, race_table, run_queue
from course_utils.ui.export import to_svg
from course_utils.ui.publish import publish
from course_utils.ui.theme import STYLE

FIRST_LOOK_S = float(os.environ.get("UNLOOP_FIRST_LOOK_S", "2.0"))  # shorter where nobody looks, as in tests


class Interrupted(KeyboardInterrupt):
    """The learner interrupted the first look at a race; like any interrupt it also stops *Run all cells*."""

    def _render_traceback_(self) -> list[str]:
        return ["Stopped by an interrupt; execute the cell again, or press Run, to race to the end."]


def show(race) -> None:
    """Race once with a small budget, then publish the live view, its picture and its steady text as one output.

    Raises:
        PredictionError: when the guess of its name is about a size that it does not have.
        Interrupted: after a kernel interrupt, once what was measured until then is on the page.
    """
    race_prediction.require_size(race)
    run_queue.stop_on_interrupt()
    view = RaceView(race)
    run = run_queue.QueuedRun(race.id)
    with run_queue.wait_for_turn(run):
        result = race.run(budget_s=FIRST_LOOK_S, cancel=run.cancel)
    view.finish(result)
    guess, at = race_prediction.predicted_ratio(race.id)
    picture = race_chart.draw(result, guess=guess, guess_at=at, headline=finding(result))
    publish(view.widget, steady_text(result), picture, race_chart.alternative_text(result, guess))
    if run.cancel.is_set():
        raise Interrupted


class RaceView:
    """The widgets of one race on one page. `widget` is what to display."""

    def __init__(self, race) -> None:
        import ipywidgets as widgets

        self._race = race
        self._run: run_queue.QueuedRun | None = None
        self._changing = threading.Lock()  # held while a run begins or ends, so that the buttons tell the truth
        self._results: dict[str, object] = {}
        self._recordings = _recordings_of(race)
        fit = widgets.Layout(width="auto")
        own_width = {"description_width": "initial"}
        self.run_button = widgets.Button(description="Run", icon="play", button_style="primary", layout=fit)
        # A click on Stop is no use where it is answered only when the race is over: an interrupt stops that one.
        self._can_stop = background_work.threads_reach_page()
        self.stop_button = widgets.Button(
            description="Stop", icon="stop", disabled=True,
            layout=widgets.Layout(width="auto", display="" if self._can_stop else "none"),
        )  # fmt: skip
        self.device = widgets.Dropdown(
            options=[*devices.available(), *self._recordings], description="Device", style=own_width, layout=fit
        )
        self.threads = widgets.Dropdown(options=_thread_counts(), description="Threads", style=own_width, layout=fit)
        self.bar = widgets.FloatProgress(min=0.0, max=1.0, layout=widgets.Layout(width="140px", display="none"))
        self.message, self.finding, self.chart, self.table = (widgets.HTML() for _ in range(4))
        controls = [self.run_button, self.stop_button, self.device, self.threads, self.bar, self.message]
        self.widget = widgets.VBox(
            [
                widgets.HBox(controls, layout=widgets.Layout(flex_flow="row wrap", align_items="center")),
                self.finding,
                self.chart,
                self.table,
            ]
        )
        self.run_button.on_click(lambda _button: self.start())
        self.stop_button.on_click(lambda _button: self.stop())
        self.device.observe(lambda _change: self._choose_device(), "value")

    def start(self) -> None:
        """Begin a run, unless one is under way."""
        with self._changing:
            if self._run is not None:
                return
            run = self._run = run_queue.QueuedRun(self._race.id)
            self._running(True)
        self.bar.value = 0.0
        self._tell("Starting")
        background_work.start(lambda: self._race_to_the_end(run), f"race {self._race.id}")

    def stop(self) -> None:
        """End the run between two calls; what it measured stays."""
        run = self._run
        if run is not None:
            run.cancel.set()
            self._tell("Stopping")

    def finish(self, result) -> None:
        """Show a complete or stopped result of this machine; one that was stopped at once leaves what was there."""
        if result.points or self.device.value not in self._results:
            self._results[self.device.value] = result
            self._show(result)
        best = result.headline()
        if best is not None and best.verdict == "faster":
            progress_file.record_race(self._race.id, best.ratio.value, result.device)
        self.bar.value = 0.0 if result.cancelled else 1.0
        self._tell("Stopped" if result.cancelled else "")

    def _race_to_the_end(self, run: run_queue.QueuedRun) -> None:
        run.thread = threading.current_thread()
        try:
            with run_queue.wait_for_turn(run, on_wait=lambda other: self._tell(f"Waiting for the race {other!r}")):
                self._race.measure_limits(
                    device=self.device.value,
                    threads=self.threads.value,
                    on_progress=self._follow_limits,
                    cancel=run.cancel,
                )
                result = self._race.run(
                    device=self.device.value, threads=self.threads.value, on_progress=self._follow, cancel=run.cancel
                )
            self.finish(result)
        except BaseException as error:  # noqa: BLE001 - nobody stands behind us: whatever happened is told on the page
            self._tell(_sentence(error), alarm=True)
        finally:
            with self._changing:
                self._run = None
                self._running(False)

    def _follow(self, progress_now) -> None:
        if self._run is not None and self._run.cancel.is_set():
            return  # its end is drawn at once, and once is enough
        self.bar.value = progress_now.fraction
        self._tell_while_racing(progress_now.message)
        if progress_now.result.points:
            self._draw(progress_now.result)
            self._say_finding(progress_now.result)

    def _follow_limits(self, share: float, what: str) -> None:
        self.bar.value = share
        self._tell_while_racing(f"First, and only once, the limits of this machine: {what}")

    def _choose_device(self) -> None:
        chosen = self.device.value
        recorded = self._recordings.get(chosen)
        self.run_button.disabled = self.threads.disabled = recorded is not None
        result = recorded or self._results.get(chosen)
        if result is not None:
            self._show(result, recorded=recorded is not None)
        self._tell("" if result is not None else f"Press Run to race on {chosen}")

    def _running(self, is_running: bool) -> None:
        self.bar.layout.display = "" if is_running else "none"  # a full bar would look like one more button
        self.stop_button.disabled = not is_running
        self.run_button.disabled = self.device.disabled = self.threads.disabled = is_running

    def _show(self, result, recorded: bool = False) -> None:
        self._draw(result, *race_prediction.predicted_ratio(self._race.id), recorded)
        self._say_finding(result, race_prediction.judge_prediction(result, keep=not recorded))
        self.table.value = race_table.table(result)

    def _say_finding(self, result, about_guess: str = "") -> None:
        self.finding.value = _block(
            f'<div style="font-size:1.15em;font-weight:600;line-height:1.4">{html.escape(race_chart.with_hard_spaces(finding(result)))}</div>'
            f'<div style="line-height:1.5">{html.escape(about_guess)}</div>'
            f"{race_table.remarks(result)}{_about_limit(self._race, result)}"
        )

    def _draw(self, result, guess: float | None = None, guess_at: int | None = None, recorded: bool = False) -> None:
        figure = race_chart.draw(result, guess=guess, guess_at=guess_at, recorded=recorded)
        self.chart.value = to_svg(figure, race_chart.alternative_text(result, guess, recorded))

    def _tell_while_racing(self, what: str) -> None:
        self._tell(what if self._can_stop else f"{what}. {background_work.HOW_TO_STOP}")

    def _tell(self, sentence: str, alarm: bool = False) -> None:
        color = "alarm" if alarm else "muted"
        self.message.value = _block(
            f'<span role="{"alert" if alarm else "status"}" style="color:var(--unloop-{color})">{html.escape(sentence)}</span>'
        )


def _block(inside: str) -> str:
    return f'{STYLE}<div class="unloop" style="max-width:920px">{inside}</div>'


def _sentence(error: BaseException) -> str:
    if isinstance(error, CourseError):
        return str(error)
    return f"The race stopped with {summarize_error(error)}"


def _about_limit(race, result) -> str:
    """Why there is no limit, or how sure it is: of the sizes, the one that the finding names counts."""
    near = result.nearest_to_limit()
    told = "" if near is None else result.bounds[near.size].uncertainty_note
    if race.cost is not None and not result.bounds:
        told = "No limit is drawn: those of this machine are not known yet; Run measures them."
    return f'<div style="color:var(--unloop-muted)">{told}</div>' if told else ""


def _recordings_of(race) -> dict[str, object]:
    """Choice in the menu → recorded result, one for each machine and device of a kind that is not here."""
    found = recordings.for_missing_devices(race.id, devices.available())
    return {f"{each.device}: {each.machine} (recorded)": each for each in found}


def _thread_counts() -> list[int]:
    counts = [1]
    while counts[-1] < hardware.core_count():
        counts.append(min(2 * counts[-1], hardware.core_count()))
    return counts
