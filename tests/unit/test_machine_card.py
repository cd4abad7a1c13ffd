"""The card of a machine shows what was measured, also in words, and nothing else."""

import re
from dataclasses import replace

from sample_limits import MIB, PEAKS

from course_utils import limits
from course_utils.core.wording import format_duration
from course_utils.limits import Cost
from course_utils.ui.machine_card import MachineView, alternative_text, machine


def test_card_shows_the_peaks_in_common_units():
    view = MachineView("cpu", 1)
    view.show(PEAKS)
    for words in ("60 GB/s at best, 12 GB/s at 128 MB", "float32 800 GFLOP/s", "bfloat16 20 TFLOP/s", PEAKS.date):
        assert words in view.card.value


def test_chart_has_an_alternative_text():
    assert alternative_text(PEAKS) == (
        "Memory bandwidth by working set: reading 120 GB/s at 64 KB, at most 120 GB/s at 64 KB, 12 GB/s at 128 MB; "
        "copying 60 GB/s at 64 KB, at most 60 GB/s at 64 KB, 12 GB/s at 128 MB; "
        "writing 40 GB/s at 64 KB, at most 40 GB/s at 64 KB, 8 GB/s at 128 MB."
    )
    view = MachineView("cpu", 1)
    view.show(PEAKS)
    assert re.search(r'role="img" aria-label="Memory bandwidth', view.card.value)


def test_unsettled_figures_are_marked():
    unsettled = ("copy 134217728", "matmul float32", "launch add torch")
    view = MachineView("cpu", 1)
    view.show(replace(PEAKS, uncertain=unsettled))
    for words in (
        "at best, ≈ 12 GB/s at 128 MB",
        "float32 ≈ 800 GFLOP/s",
        "bfloat16 20 TFLOP/s",
        "torch ≈ 1.00 µs",
        "Measure again",
    ):
        assert words in view.card.value
    assert f"≈ 12 GB/s at {128 * MIB // MIB} MB; writing" in alternative_text(replace(PEAKS, uncertain=unsettled))
    view.show(PEAKS)
    assert "≈" not in view.card.value


def test_launch_cost_agrees_with_the_bounds():
    view = MachineView("cpu", 1)
    view.show(PEAKS)
    for framework, launch in (("torch", "1.00 µs"), ("numpy", "300 ns")):
        cost = Cost(reads=4, writes=4)
        assert format_duration(limits.bound(cost, PEAKS, framework).seconds) == launch
        assert f"{framework} {launch}" in view.card.value


def test_failure_is_shown_on_the_card(monkeypatch):
    def measure(*_):
        raise limits.LimitsFailed("No framework is installed.")

    monkeypatch.setattr(limits, "measure_peaks", measure)
    view = MachineView("cpu", 1)
    view.measure()
    assert "No framework is installed." in view.message.value
    assert "1 thread" in view.card.value and "Memory bandwidth" not in view.card.value
    assert not view.again.disabled


def test_first_card_of_a_machine_has_a_picture(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata=None: shown.append((bundle, metadata)))
    monkeypatch.setattr(limits, "load_peaks", lambda *_: None)
    monkeypatch.setattr(limits, "measure_peaks", lambda *_: PEAKS)
    machine()
    (live, _), (still, metadata) = shown
    assert set(live) == {"application/vnd.jupyter.widget-view+json"}
    alternative = metadata["image/png"]["alt"]
    assert still["image/png"] and alternative.startswith(alternative_text(PEAKS))
    for words in ("bfloat16 20 TFLOP/s", "torch 1.00 µs"):
        assert words in alternative, "a page without widgets shows all figures"
