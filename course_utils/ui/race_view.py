"""The view of a race: buttons, progress, chart, finding and table, and a picture for pages without widgets.

When its cell runs, the race runs once with a small budget; after *Run* it runs in full. The view measures and computes
nothing: everything that it draws comes from a ``RaceResult``.
"""

from __future__ import annotations

import html
import threading

from course_utils.core.errors import CourseError, summarize_error
from course_utils.core.measurement_budgets import FIRST_LOOK_S
from course_utils.frameworks import devices, hardware
from course_utils.learner import activity_listeners, progress_file, race_prediction
from course_utils.races import Race, RaceProgress, RaceResult, recordings
from course_utils.races.finding import finding, steady_text
from course_utils.ui import background_work, race_chart, race_table, run_queue
from course_utils.ui.card import with_code
from course_utils.ui.figure_export import to_svg
from course_utils.ui.page_output import publish
from course_utils.ui.theme import STYLE


class Interrupted(KeyboardInterrupt):
    """The learner interrupted the first look at a race; like any interrupt it also stops *Run all cells*."""

    def _render_traceback_(self) -> list[str]:
        return ["Stopped by an interrupt; run the cell again, or press Run, to race to the end."]


def show(race: Race) -> None:
    """Race once with a small budget, then publish the live view, its picture and its steady text.

    Raises:
        PredictionError: if the guess of the same name is about a size that the race lacks.
        Interrupted: after a kernel interrupt, once the points measured until then are on the page.
    """
    race_prediction.require_size(race)
    run_queue.stop_on_interrupt()
    view = RaceView(race)
    run = run_queue.QueuedRun(race.id)
    with run_queue.wait_for_turn(run):
        result = race.run(budget_s=FIRST_LOOK_S, cancel=run.cancel, run_name="the first look")
    view.finish(result)
    guess, at = race_prediction.predicted_ratio(result)
    picture = race_chart.draw(result, guess=guess, guess_at=at, headline=finding(result))
    alt = race_chart.alternative_text(result, guess)
    publish(view.widget, steady_text(result), picture, alt, recordings.compact_json(result))
    if run.cancel.is_set():
        raise Interrupted


class RaceView:
    """The widgets of one race on one page. ``widget`` is what to display."""

    def __init__(self, race: Race) -> None:
        import ipywidgets as widgets

        self._race = race
        self._run: run_queue.QueuedRun | None = None
        self._changing = threading.Lock()  # held while a run starts or ends, so that the buttons match its state
        self._results: dict[str, RaceResult] = {}
        self._recordings = _recordings_of(race)
        fit = widgets.Layout(width="auto")
        full_label = {"description_width": "initial"}
        self.run_button = widgets.Button(description="Run", icon="play", button_style="primary", layout=fit)
        # Without threads a click on Stop is answered only after the race; there an interrupt stops it.
        self._can_stop = background_work.threads_reach_page()
        self.stop_button = widgets.Button(
            description="Stop", icon="stop", disabled=True,
            layout=widgets.Layout(width="auto", display="" if self._can_stop else "none"),
        )  # fmt: skip
        self.device = widgets.Dropdown(
            options=[*devices.available(), *self._recordings], description="Device", style=full_label, layout=fit
        )
        self.threads = widgets.Dropdown(options=_thread_counts(), description="Threads", style=full_label, layout=fit)
        self.bar = widgets.FloatProgress(min=0.0, max=1.0, layout=widgets.Layout(width="140px", display="none"))
        self.message, self.finding, self.chart, self.table = (widgets.HTML() for _ in range(4))
        controls = [self.run_button, self.stop_button, self.device, self.threads, self.bar, self.message]
        row = widgets.HBox(controls, layout=widgets.Layout(flex_flow="row wrap", align_items="center"))
        self.widget = widgets.VBox([row, self.finding, self.chart, self.table])
        self.run_button.on_click(lambda _button: self.start())
        self.stop_button.on_click(lambda _button: self.stop())
        self.device.observe(lambda _change: self._choose_device(), "value")

    def start(self) -> None:
        """Start a run, unless one is running."""
        with self._changing:
            if self._run is not None:
                return
            run = self._run = run_queue.QueuedRun(self._race.id)
            self._set_running(True)
        self.bar.value = 0.0
        self._report("Starting")
        background_work.start(lambda: self._race_to_the_end(run), f"race {self._race.id}")

    def stop(self) -> None:
        """End the run between two calls; its measurements stay."""
        run = self._run
        if run is not None:
            run.cancel.set()
            self._report("Stopping")

    def finish(self, result: RaceResult) -> None:
        """Show a complete or stopped result of this machine; a result without points does not replace an earlier
        result."""
        if result.points or self.device.value not in self._results:
            self._results[self.device.value] = result
            self._show(result)
        best = result.headline()
        if best is not None and best.ratio is not None and best.verdict == "faster":
            progress_file.record_race(self._race.id, best.ratio.value, result.device)
        if best is not None and best.ratio is not None:
            activity_listeners.announce("race", self._race.id, best.ratio.value)
        self.bar.value = 0.0 if result.cancelled else 1.0
        self._report("Stopped" if result.cancelled else "")

    def _race_to_the_end(self, run: run_queue.QueuedRun) -> None:
        run.thread = threading.current_thread()
        try:
            with run_queue.wait_for_turn(run, on_wait=lambda race: self._report(f"Waiting for the race {race!r}")):
                place = {"device": self.device.value, "threads": self.threads.value, "cancel": run.cancel}
                self._race.measure_limits(on_progress=self._show_limits_progress, **place)
                result = self._race.run(on_progress=self._show_progress, **place)
            self.finish(result)
        except BaseException as error:  # noqa: BLE001 - no caller could report it, so the page does
            self._report(_sentence(error), alarm=True)
        finally:
            with self._changing:
                self._run = None
                self._set_running(False)

    def _show_progress(self, progress: RaceProgress) -> None:
        if self._run is not None and self._run.cancel.is_set():
            return  # `finish` draws the result
        self.bar.value = progress.fraction
        self._report_while_racing(progress.message)
        if progress.result.points:
            self._draw(progress.result)
            self._show_finding(progress.result)
            self.table.value = ""  # An earlier run's figures do not belong to this chart.

    def _show_limits_progress(self, share: float, step: str) -> None:
        self.bar.value = share
        self._report_while_racing(f"First, measuring the limits of this machine: {step}")

    def _choose_device(self) -> None:
        device = self.device.value
        recorded = self._recordings.get(device)
        self.run_button.disabled = self.threads.disabled = recorded is not None
        result = recorded or self._results.get(device)
        if result is not None:
            self._show(result, recorded=recorded is not None)
        self._report("" if result is not None else f"Press Run to race on {device}")

    def _set_running(self, is_running: bool) -> None:
        self.bar.layout.display = "" if is_running else "none"  # A full bar would look like another button.
        self.stop_button.disabled = not is_running
        self.run_button.disabled = self.device.disabled = self.threads.disabled = is_running

    def _show(self, result: RaceResult, recorded: bool = False) -> None:
        self._draw(result, *race_prediction.predicted_ratio(result), recorded)
        self._show_finding(result, race_prediction.judge_prediction(result, keep=not recorded))
        self.table.value = race_table.table(result)

    def _show_finding(self, result: RaceResult, about_guess: str = "") -> None:
        headline, guess = (_unbroken(sentence) for sentence in (finding(result), about_guess))
        self.finding.value = _block(
            f'<div style="font-size:1.15em;font-weight:600;line-height:1.4">{headline}</div>'
            f'<div style="line-height:1.5">{guess}</div>'
            f"{race_table.remarks(result)}{_limit_note(self._race, result)}"
        )

    def _draw(
        self, result: RaceResult, guess: float | None = None, guess_at: int | None = None, recorded: bool = False
    ) -> None:
        figure = race_chart.draw(result, guess=guess, guess_at=guess_at, recorded=recorded)
        self.chart.value = to_svg(figure, race_chart.alternative_text(result, guess, recorded))

    def _report_while_racing(self, step: str) -> None:
        self._report(step if self._can_stop else f"{step}. {background_work.HOW_TO_STOP}")

    def _report(self, sentence: str, alarm: bool = False) -> None:
        color = "alarm" if alarm else "muted"
        role = "alert" if alarm else "status"
        self.message.value = _block(
            f'<span role="{role}" style="color:var(--unloop-{color})">{html.escape(sentence)}</span>'
        )


def _block(content: str) -> str:
    return f'{STYLE}<div class="unloop" style="max-width:920px">{content}</div>'


def _sentence(error: BaseException) -> str:
    if isinstance(error, CourseError):
        return str(error)
    return f"The race stopped with {summarize_error(error)}"


def _unbroken(sentence: str) -> str:
    """Return a sentence as HTML that breaks no line within a contender's name, a size or an interval."""
    return race_table.keep_intervals_together(html.escape(race_chart.keep_phrases_together(sentence)))


def _limit_note(race: Race, result: RaceResult) -> str:
    """Return why the chart has no limit, or what ≈ means if the chart or its table marks a limit with it."""
    note = next((each.uncertainty_note for each in result.bounds.values() if each.uncertain), "")
    if race.cost is not None and not result.bounds:
        note = "No limit is drawn because the limits of this machine are not known yet; Run measures them."
    return f'<div style="line-height:1.5;color:var(--unloop-muted)">{with_code(note)}</div>' if note else ""


def _recordings_of(race: Race) -> dict[str, RaceResult]:
    """Return menu entry → recorded result, one for each machine and kind of device that this machine lacks."""
    recorded = recordings.for_missing_devices(race.id, devices.available())
    return {f"{each.device}: {each.machine} (recorded)": each for each in recorded}


def _thread_counts() -> list[int]:
    counts = [1]
    while counts[-1] < hardware.core_count():
        counts.append(min(2 * counts[-1], hardware.core_count()))
    return counts
