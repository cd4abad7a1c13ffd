"""The capstone's report: it measures an attempt, lists the attempts, and accepts only figures that were measured."""

import re
from dataclasses import replace

import pytest
from load_tolerance import in_one_of_three_attempts
from sample_limits import PEAKS

from course_utils import progress, report, task
from course_utils.learner import progress_file
from course_utils.learner.capstone_report import Report
from course_utils.learner.report_sentences import PARTS, ReportError, check_sentences
from course_utils.limits import saved_peaks
from course_utils.ui.report_view import ReportView, report_html

ATTEMPT = {
    "ratio": 136.84,
    "low": 129.7,
    "high": 1234.5,
    "seconds": 0.00187,
    "slow": 0.256,
    "share": 0.0021,
    "reason": "launches",
    "line": "labels = fill_holes(labels)",
    "machine": "AMD EPYC · cpu, 1 thread",
    "date": "2026-11-23",
}
GOOD = (
    "The pipeline is 137× (130–1,230×) as fast as the loops, on one thread.",
    "The launches bind: it reaches 0.21 % of the limit, and one call takes 1.87 ms.",
    "Next I would label stages 2 and 4 together, because both number runs.",
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(progress_file, "_in_memory", None)


@pytest.fixture
def whole(monkeypatch):
    """Return the pipeline's task, measured on small maps, so that even a busy machine runs enough rounds."""
    pytest.importorskip("torch")
    small = replace(task("segment_maps"), race_size=10)
    # Replace the variable and no function of the course: the check reports replaced functions.
    monkeypatch.setattr("course_utils.tasks.lesson_18_capstone.task_8_segment_maps.TASK", small)
    monkeypatch.setattr("course_utils.learner.capstone_report._BUDGETS_S", (1.0, 4.0, 16.0))
    return small


def test_sentences_with_measured_figures_are_accepted(whole):
    check_sentences(GOOD, whole, ATTEMPT)
    check_sentences((GOOD[0], "Call overhead binds: 1.87 ms, compared with 256 ms.", GOOD[2]), whole, ATTEMPT)
    without = {name: value for name, value in ATTEMPT.items() if name != "slow"}  # an attempt of an earlier version
    check_sentences(GOOD, whole, without)
    assert Report(whole, without, (without,)).facts[0].endswith("as fast as the slow loop, at size 10.")


@pytest.mark.parametrize("size", ["6 maps of 36 × 36 pixels", "36x36 pixels", "a batch of 6 x 36 x 36"])
def test_sentence_may_name_the_size_of_the_maps(size, whole):
    check_sentences((GOOD[0].replace("loops", f"loops on {size}"), *GOOD[1:]), whole, ATTEMPT)


@pytest.mark.parametrize(
    ("place", "sentence", "says"),
    [
        (0, "", "“The factor, with its interval” is empty"),
        (0, "It is 137× as fast.", "lacks the lower end of the interval, 130×"),
        (0, "It is 140× (130–1,230×) as fast.", "lacks the factor, 137×"),
        (1, "The memory binds.", "lacks the limit that binds, “launches”"),
        (1, "The launches bind at 3 % of the limit.", "“3 %” was not measured"),
        (1, "The launches bind, one call takes 5 ms.", "“5 ms” was not measured"),
        (2, "A compiler would make it 2× as fast.", "“2 ×” was not measured"),
        (2, "A compiler would make it 3 times as fast.", "“3 ×” was not measured"),
        (2, "A compiler would make it 2× 1.87 ms.", "“2 ×” was not measured"),
        (2, "word " * 80, "has 400 characters; write at most 300"),
    ],
)
def test_sentence_with_another_claim_is_refused(place, sentence, says, whole):
    sentences = [*GOOD[:place], sentence, *GOOD[place + 1 :]]
    with pytest.raises(ReportError, match=re.escape(says)):
        check_sentences(tuple(sentences), whole, ATTEMPT)
    assert not progress_file.read()["reports"]


def test_accepted_sentences_are_stored_with_their_attempt(whole):
    accepted = Report(whole, ATTEMPT, (ATTEMPT,)).accept(*GOOD)
    assert accepted.sentences == GOOD
    assert progress_file.read()["reports"]["segment_maps"] == {"sentences": list(GOOD), "attempt": ATTEMPT}
    assert "Your report is stored" in repr(accepted)


def test_report_before_the_check_is_refused(whole):
    def segment_maps(maps, thresholds, sizes, min_area): ...

    with pytest.raises(ReportError, match="segment_maps is not solved yet: run check"):
        report(segment_maps)


def test_report_takes_a_challenge():
    def double(x): ...

    with pytest.raises(ReportError, match="double has no report: report takes a challenge"):
        report(double)


@pytest.mark.slow
def test_report_measures_an_attempt_and_lists_the_fastest_first(whole):
    def segment_maps(*inputs):
        return whole.reference(*inputs)

    saved_peaks.save_peaks(PEAKS)
    progress_file.record_task("segment_maps", whole.points, whole.points, 99.0)
    progress_file.record_attempt("segment_maps", {**ATTEMPT, "ratio": 1e9})

    def measured():
        try:
            return report(segment_maps)
        except ReportError as busy:  # A right answer can run out of time on a busy machine.
            raise AssertionError(str(busy)) from busy

    shown = in_one_of_three_attempts(measured)()
    assert shown.attempt["low"] <= shown.attempt["ratio"] <= shown.attempt["high"]
    assert [each["ratio"] for each in shown.attempts] == [1e9, shown.attempt["ratio"]]
    assert 0 < shown.attempt["share"] < 1
    assert shown.attempt["reason"] and shown.attempt["machine"]
    assert "Write your report: report(segment_maps, factor=…" in repr(shown)
    with pytest.raises(ReportError, match="lacks the factor"):
        report(segment_maps, *GOOD)  # reuses the last measurement
    assert len(progress().attempts["segment_maps"]) == 2


@pytest.mark.slow
def test_race_without_an_interval_says_so_and_stores_no_attempt(whole, monkeypatch):
    def segment_maps(*inputs):
        return whole.reference(*inputs)

    monkeypatch.setattr("course_utils.learner.capstone_report._BUDGETS_S", (1e-6, 2e-6))
    progress_file.record_task("segment_maps", whole.points, whole.points, 99.0)
    with pytest.raises(ReportError, match="too busy for an interval: in 3e-06 s of racing"):
        report(segment_maps)
    assert "segment_maps" not in progress_file.read()["attempts"]


def test_wrong_result_has_no_report(whole):
    def segment_maps(*inputs):
        boxes, runs = whole.reference(*inputs)
        return boxes + 1, runs

    progress_file.record_task("segment_maps", whole.points, whole.points, 99.0)
    with pytest.raises(ReportError, match=r"is not right anymore: run check\(segment_maps\)"):
        report(segment_maps)


def test_form_stores_the_sentences_or_shows_what_is_wrong(whole):
    view = ReportView(Report(whole, ATTEMPT, (ATTEMPT,)))
    assert len(view.fields) == len(PARTS)
    view.button.click()
    assert 'role="alert"' in view.message.value and "is empty" in view.message.value
    for field, sentence in zip(view.fields, GOOD):
        field.value = sentence
    view.button.click()
    assert 'role="status"' in view.message.value
    assert progress_file.read()["reports"]["segment_maps"]["sentences"] == list(GOOD)


def test_attempts_show_factor_interval_share_and_reason(whole):
    shown = report_html(Report(whole, ATTEMPT, (ATTEMPT,)))
    for part in ("137×", "130× to 1,230×", "1.87 ms", "0.21\N{NO-BREAK SPACE}%", "launches", "2026-11-23", "AMD EPYC"):
        assert part in shown
