"""``machine()``: what this machine is and what it can do at best, as a card. The limits are measured in ``limits``.

Where they are not known yet, they are measured at once, behind a progress bar; later the card shows what was kept.
"""

from __future__ import annotations

import html
from collections.abc import Mapping

from course_utils import frameworks, limits
from course_utils.core.errors import CourseError
from course_utils.core.wording import format_duration, pluralize
from course_utils.frameworks import devices
from course_utils.limits import Peaks
from course_utils.limits.cost import COPY, READ, WRITE
from course_utils.limits.peaks import COPYING
from course_utils.ui import background_work, run_queue
from course_utils.ui.axes import new_figure
from course_utils.ui.card import card
from course_utils.ui.export import to_svg
from course_utils.ui.publish import show_live, show_still
from course_utils.ui.theme import MARKERS, MUTED, PAPER, SERIES, STYLE, TEXT

_GIGA = 1e9
_SHOWN = {READ: ("reading", 0), COPY: ("copying", 1), WRITE: ("writing", 2)}
"""Mix → what it is called on the card, and which of the charts' series draws it."""


def machine(device: str = "cpu", threads: int = 1) -> None:
    """Show the card of this machine; measures its limits first where they are not known, in about ten seconds.

    Args:
        device: ``"cpu"``, ``"cuda:0"``, …
        threads: threads that an operation may use on the CPU.

    Raises:
        devices.DeviceMissing: when the device is not there.
    """
    run_queue.stop_on_interrupt()
    view = MachineView(devices.require(device), threads)
    peaks = limits.load_peaks(view.device, threads)
    # The text stands for the card on pages without widgets, and in the course's own tests: no figure in it may vary.
    text = "The card of this machine: device, threads, versions, memory bandwidth, matmul peak, launch cost."
    name = show_live(view.widget)  # at once, for its progress bar
    if peaks is None:
        peaks = view.measure()
    else:
        view.show(peaks)
    if peaks is None:
        show_still(name, text)
    else:
        show_still(name, text, _ladder(peaks), alternative_text(peaks))


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
        """Measure the limits, show and return them; what goes wrong is said on the card, and there is None."""
        run = run_queue.QueuedRun("machine card")
        self.again.disabled, self.bar.layout.display = True, ""
        try:
            with run_queue.wait_for_turn(run, on_wait=lambda other: self._tell(f"Waiting for the race {other!r}")):
                peaks = limits.measure_peaks(self.device, self._threads, self._follow, run.cancel)
            self.show(peaks)
            return peaks
        except CourseError as error:
            # What the machine is can be said all the same.
            self.card.value = self.card.value or card(_table(_identity(self.device, self._threads)), "This machine")
            self._tell(str(error), alarm=True)
            return None
        finally:
            self.again.disabled, self.bar.layout.display = False, "none"

    def show(self, peaks: Peaks) -> None:
        """Put these peaks on the card."""
        drawing = to_svg(_ladder(peaks), alternative_text(peaks))
        self.card.value = card(_facts(peaks) + drawing, "This machine")
        self._tell("")

    def _follow(self, share: float, message: str) -> None:
        self.bar.value = share
        self._tell(message)

    def _tell(self, sentence: str, alarm: bool = False) -> None:
        color = "alarm" if alarm else "muted"
        self.message.value = (
            f'{STYLE}<span class="unloop" role="{"alert" if alarm else "status"}" '
            f'style="color:var(--unloop-{color});line-height:1.4;display:block">{html.escape(sentence)}</span>'
        )


def alternative_text(peaks: Peaks) -> str:
    """The ladders in words."""
    told = []
    for mix, (doing, _) in _SHOWN.items():
        rungs = peaks.bandwidths[mix]
        best_size, best = max(rungs, key=lambda rung: rung[1])
        told.append(
            f"{doing} {_rung(peaks, mix, rungs[0])}, at most {_figure(peaks, f'{mix} {best_size}', _gigabytes(best))} "
            f"at {_bytes(best_size)}, {_rung(peaks, mix, rungs[-1])}"
        )
    return f"Memory bandwidth by working set: {'; '.join(told)}."


def _rung(peaks: Peaks, mix: str, rung: tuple[int, float]) -> str:
    size, speed = rung
    return f"{_figure(peaks, f'{mix} {size}', _gigabytes(speed))} at {_bytes(size)}"


def _figure(peaks: Peaks, name: str, told: str) -> str:
    """A figure in words, with a mark where it was not reached twice."""
    return f"≈ {told}" if name in peaks.uncertain else told


def _identity(device: str, threads: int, versions: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    count = pluralize(threads, "thread")
    return [
        ("Device", f"{device}: {devices.describe(device)}"),
        ("Threads", count if device == "cpu" else "the whole device"),
        (
            "Versions",
            ", ".join(f"{name} {number}" for name, number in (frameworks.versions() | dict(versions or {})).items()),
        ),
    ]


def _facts(peaks: Peaks) -> str:
    (best_size, best), (last_size, last) = (
        max(peaks.copy_bandwidths, key=lambda rung: rung[1]),
        peaks.copy_bandwidths[-1],
    )
    copying = (
        f"a copy has {_figure(peaks, f'{COPY} {best_size}', _gigabytes(best))} at best in a cache, "
        f"{_figure(peaks, f'{COPY} {last_size}', _gigabytes(last))} beyond the caches"
    )
    rows = [
        *_identity(peaks.device, peaks.threads, peaks.versions),
        ("Memory bandwidth", copying),
        (
            "Matmul peak",
            ", ".join(
                f"{dtype} {_figure(peaks, f'matmul {dtype}', _flops(rate))}" for dtype, rate in peaks.matmul.items()
            ),
        ),
        ("Launch cost", ", ".join(_launch(peaks, name) for name in peaks.launches_s) + ", to read and write"),
    ]
    if peaks.uncertain:
        rows.append(("≈", "did not settle, since the machine was busy; Measure again tries anew"))
    return f"{_table(rows)}<h4>Memory bandwidth by working set</h4>"


def _launch(peaks: Peaks, framework: str) -> str:
    seconds, figure = peaks.launch_s(COPYING, framework), peaks.launch_figure(COPYING, framework)
    return f"{framework} {_figure(peaks, figure, format_duration(seconds))}"


def _table(rows: list[tuple[str, str]]) -> str:
    cells = "".join(
        f'<tr><th scope="row" style="white-space:nowrap;vertical-align:top">{name}</th><td>{html.escape(told)}</td></tr>'
        for name, told in rows
    )
    return f"<h3>This machine</h3><table>{cells}</table>"


def _ladder(peaks: Peaks):
    """Bandwidth against working set, a line for each of three mixes; a rung that did not settle is hollow."""
    figure, axes = new_figure(height=2.9, left=0.1, right=0.97, bottom=0.26, top=0.9)
    axes.set_xscale("log")
    for mix, (doing, series) in _SHOWN.items():
        rungs = peaks.bandwidths[mix]
        sizes, speeds = [size for size, _ in rungs], [speed / _GIGA for _, speed in rungs]
        color, marker = SERIES[series], MARKERS[series]
        axes.plot(sizes, speeds, color=color, marker=marker, markersize=5, linewidth=2, label=doing)
        open_sizes = [size for size in sizes if f"{mix} {size}" in peaks.uncertain]
        open_speeds = [speed for size, speed in zip(sizes, speeds) if size in open_sizes]
        axes.plot(
            open_sizes,
            open_speeds,
            color=color,
            marker=marker,
            markersize=5,
            markerfacecolor=PAPER,
            linestyle="none",
        )
    axes.set_ylim(0, 1.15 * max(speed / _GIGA for mix in _SHOWN for _, speed in peaks.bandwidths[mix]))
    steps = [size for size, _ in peaks.copy_bandwidths if size & (size - 1) == 0]
    axes.set_xticks(steps[::2], [_bytes(size) for size in steps[::2]])
    axes.legend(loc="upper right", frameon=False, labelcolor=TEXT)
    axes.minorticks_off()
    axes.text(0, 1.04, "GB/s, read or written", transform=axes.transAxes, color=MUTED)
    axes.set_xlabel("working set", color=MUTED)
    figure.text(0.015, 0.03, f"measured on {peaks.machine} · {peaks.device} · {peaks.date}", fontsize=8.5, color=MUTED)
    return figure


def _gigabytes(per_second: float) -> str:
    return f"{per_second / _GIGA:,.0f} GB/s"


def _flops(per_second: float) -> str:
    for unit, scale in (("TFLOP/s", 1e12), ("GFLOP/s", 1e9), ("MFLOP/s", 1e6)):
        if per_second >= scale:
            return f"{per_second / scale:,.3g} {unit}"
    return f"{per_second:,.3g} FLOP/s"


def _bytes(size: int) -> str:
    for unit, scale in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if size >= scale:
            return f"{size // scale} {unit}"
    return f"{size} B"
