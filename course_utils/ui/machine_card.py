"""``machine()``: a card with this machine's name, versions and limits.

If the limits are not known yet, they are measured at once, behind a progress bar; later the card shows the saved ones.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING

from course_utils import frameworks, limits
from course_utils.core.errors import CourseError
from course_utils.core.wording import format_bytes, format_duration, pluralize
from course_utils.frameworks import devices
from course_utils.limits import Peaks
from course_utils.limits.cost import COPY, READ, WRITE
from course_utils.limits.peaks import COPYING
from course_utils.ui import background_work, run_queue
from course_utils.ui.axes import new_figure
from course_utils.ui.card import card
from course_utils.ui.figure_export import to_svg
from course_utils.ui.page_output import show_live, show_still
from course_utils.ui.theme import MARKERS, MUTED, SERIES, STYLE, TEXT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_GIGA = 1e9
_MIXES = {READ: ("reading", 0), COPY: ("copying", 1), WRITE: ("writing", 2)}
"""Mix → its name on the card, and the number of its series on the chart."""


def machine(device: str = "cpu", threads: int = 1) -> None:
    """Show the card of this machine; measures its limits first unless they are known, in about ten seconds.

    Args:
        device: ``"cpu"``, ``"cuda:0"``, …
        threads: threads that an operation may use on the CPU.

    Raises:
        devices.DeviceMissing: if the machine lacks the device.
    """
    run_queue.stop_on_interrupt()
    view = MachineView(devices.require(device), threads)
    peaks = limits.load_peaks(view.device, threads)
    # The course's own tests compare this text on pages without widgets, so no number in it may vary.
    text = "The card of this machine: device, threads, versions, memory bandwidth, matmul peak, launch cost."
    name = show_live(view.widget)  # shown before measuring, for its progress bar
    if peaks is None:
        peaks = view.measure()
    else:
        view.show(peaks)
    if peaks is None:
        show_still(name, text)
    else:
        show_still(name, text, _still_picture(peaks), " ".join([alternative_text(peaks), *_figures(peaks)]))


class MachineView:
    """The widgets of the card. ``widget`` is what to display."""

    def __init__(self, device: str, threads: int) -> None:
        import ipywidgets as widgets

        self.device, self._threads = device, threads
        self.card, self.message = widgets.HTML(), widgets.HTML()
        self.bar = widgets.FloatProgress(min=0.0, max=1.0, layout=widgets.Layout(width="200px"))
        self.again = widgets.Button(
            description="Measure again", icon="refresh", layout=widgets.Layout(width="auto", min_width="150px")
        )
        controls = widgets.HBox([self.again, self.bar, self.message], layout=widgets.Layout(align_items="center"))
        self.widget = widgets.VBox([self.card, controls])
        self.bar.layout.display = "none"
        self.again.on_click(lambda _button: background_work.start(self.measure, "machine card"))

    def measure(self) -> Peaks | None:
        """Measure the limits, show and return them; an error is shown on the card, and the result is None."""
        run = run_queue.QueuedRun("machine card")
        self.again.disabled, self.bar.layout.display = True, ""
        try:
            with run_queue.wait_for_turn(run, on_wait=lambda race: self._report(f"Waiting for the race {race!r}")):
                peaks = limits.measure_peaks(self.device, self._threads, self._show_progress, run.cancel)
            self.show(peaks)
            return peaks
        except CourseError as error:
            # The machine's name and versions are shown even without limits.
            self.card.value = self.card.value or card(_table(_identity(self.device, self._threads)), "This machine")
            self._report(str(error), alarm=True)
            return None
        finally:
            self.again.disabled, self.bar.layout.display = False, "none"

    def show(self, peaks: Peaks) -> None:
        """Show these peaks on the card."""
        drawing = to_svg(_bandwidth_chart(peaks), alternative_text(peaks))
        self.card.value = card(_facts(peaks) + drawing, "This machine")
        self._report("")

    def _show_progress(self, share: float, message: str) -> None:
        self.bar.value = share
        self._report(message)

    def _report(self, sentence: str, alarm: bool = False) -> None:
        color = "alarm" if alarm else "muted"
        self.message.value = (
            f'{STYLE}<span class="unloop" role="{"alert" if alarm else "status"}" '
            f'style="color:var(--unloop-{color});line-height:1.4;display:block">{html.escape(sentence)}</span>'
        )


def alternative_text(peaks: Peaks) -> str:
    """Return the chart in words, for a screen reader."""
    lines = []
    for mix, (label, _) in _MIXES.items():
        ladder = peaks.bandwidths[mix]
        best = max(ladder, key=lambda rung: rung[1])
        smallest, largest = _rung_phrase(peaks, mix, ladder[0]), _rung_phrase(peaks, mix, ladder[-1])
        lines.append(f"{label} {smallest}, at most {_rung_phrase(peaks, mix, best)}, {largest}")
    return f"Memory bandwidth by working set: {'; '.join(lines)}."


def _rung_phrase(peaks: Peaks, mix: str, rung: tuple[int, float]) -> str:
    size, speed = rung
    return f"{_with_mark(peaks, f'{mix} {size}', _gigabytes(speed))} at {format_bytes(size)}"


def _with_mark(peaks: Peaks, name: str, value: str) -> str:
    """Return the value of the figure ``name``, with a mark if it is uncertain."""
    return f"≈ {value}" if name in peaks.uncertain else value


def _identity(device: str, threads: int, versions: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    all_versions = frameworks.versions() | dict(versions or {})
    return [
        ("Device", f"{device}: {devices.describe(device)}"),
        ("Threads", pluralize(threads, "thread") if device == "cpu" else "the whole device"),
        ("Versions", ", ".join(f"{name} {number}" for name, number in all_versions.items())),
    ]


def _facts(peaks: Peaks) -> str:
    (best_size, best), (last_size, last) = (
        max(peaks.copy_bandwidths, key=lambda rung: rung[1]),
        peaks.copy_bandwidths[-1],
    )
    best_copy = _with_mark(peaks, f"{COPY} {best_size}", _gigabytes(best))
    last_copy = _with_mark(peaks, f"{COPY} {last_size}", _gigabytes(last))
    rows = [
        *_identity(peaks.device, peaks.threads, peaks.versions),
        ("Memory bandwidth", f"a copy reaches {best_copy} at best, {last_copy} at {format_bytes(last_size)}"),
        ("Matmul peak", _matmul_phrase(peaks)),
        ("Launch cost", f"{_launch_phrase(peaks)}, to read and write"),
    ]
    if peaks.uncertain:
        rows.append(("≈", "no second measurement agrees with this figure; Measure again tries once more"))
    return f"{_table(rows)}<h4>Memory bandwidth by working set</h4>"


def _matmul_phrase(peaks: Peaks) -> str:
    return ", ".join(
        f"{dtype} {_with_mark(peaks, f'matmul {dtype}', _flops(rate))}" for dtype, rate in peaks.matmul.items()
    )


def _launch_phrase(peaks: Peaks) -> str:
    return ", ".join(
        f"{framework} {_with_mark(peaks, peaks.launch_figure(COPYING, framework), format_duration(peaks.launch_s(COPYING, framework)))}"
        for framework in peaks.launches_s
    )


def _figures(peaks: Peaks) -> list[str]:
    """Return the figures of the table that the chart lacks, in a line each, and what a mark means."""
    mark = ["≈ marks a figure with which no second measurement agrees."] if peaks.uncertain else []
    return [f"Matmul peak: {_matmul_phrase(peaks)}.", f"Launch cost: {_launch_phrase(peaks)}.", *mark]


def _still_picture(peaks: Peaks) -> Figure:
    """Return the chart with the other figures above it, for pages without widgets."""
    lines = _figures(peaks)
    figure = _bandwidth_chart(peaks, top=0.88 - 0.07 * len(lines))
    figure.text(0.015, 0.97, "\n".join(lines), va="top", color=TEXT)
    return figure


def _table(rows: list[tuple[str, str]]) -> str:
    cells = "".join(
        f'<tr><th scope="row" style="white-space:nowrap;vertical-align:top">{name}</th><td>{html.escape(value)}</td></tr>'
        for name, value in rows
    )
    return f"<h3>This machine</h3><table>{cells}</table>"


def _bandwidth_chart(peaks: Peaks, top: float = 0.9) -> Figure:
    """Return a chart of bandwidth against working set, with a line for each of three mixes; ≈ marks uncertain
    figures."""
    figure, axes = new_figure(height=2.9, left=0.1, right=0.97, bottom=0.26, top=top)
    axes.set_xscale("log")
    for mix, (label, series) in _MIXES.items():
        sizes = [size for size, _ in peaks.bandwidths[mix]]
        speeds = [speed / _GIGA for _, speed in peaks.bandwidths[mix]]
        axes.plot(sizes, speeds, color=SERIES[series], marker=MARKERS[series], markersize=5, linewidth=2, label=label)
        for size, speed in zip(sizes, speeds):
            if f"{mix} {size}" in peaks.uncertain:
                axes.annotate("≈", (size, speed), (0, 5), textcoords="offset points", ha="center", color=MUTED)
    axes.set_ylim(0, 1.15 * max(speed / _GIGA for mix in _MIXES for _, speed in peaks.bandwidths[mix]))
    powers = [size for size, _ in peaks.copy_bandwidths if size & (size - 1) == 0]
    axes.set_xticks(powers[::2], [format_bytes(size) for size in powers[::2]])
    axes.legend(loc="upper right", frameon=False, labelcolor=TEXT)
    axes.minorticks_off()
    axes.text(0, 1.04, "GB/s, read or written", transform=axes.transAxes, color=MUTED)
    axes.set_xlabel("working set", color=MUTED)
    signature = f"measured on {peaks.machine} · {peaks.device} · {peaks.date}"
    figure.text(0.015, 0.03, signature, fontsize=8.5, color=MUTED)
    return figure


def _gigabytes(per_second: float) -> str:
    return f"{per_second / _GIGA:,.0f} GB/s"


def _flops(per_second: float) -> str:
    for unit, scale in (("TFLOP/s", 1e12), ("GFLOP/s", 1e9), ("MFLOP/s", 1e6)):
        if per_second >= scale:
            return f"{per_second / scale:,.3g} {unit}"
    return f"{per_second:,.3g} FLOP/s"
