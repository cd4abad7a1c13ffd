"""The card shows an answer's time next to other times and, for a challenge, whether the answer is the best so far."""

from dataclasses import replace

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from course_utils import tasks
from course_utils.judging import Verdict
from course_utils.judging.speed_position import SpeedPosition
from course_utils.learner import progress_file
from course_utils.limits import Bound, Cost
from course_utils.ui import speed_position_chart, task_card

pytest.importorskip("torch")

from sample_task import ROW_SUMS

POSITION = SpeedPosition(
    1.3e-3, 1.2e-3, 1.5e-3, {"where": 9e-3, "slow loop": 0.12, "$x$": 2e-3}, Bound(0.53e-3, "memory bandwidth"), True
)
VERDICT = replace(
    Verdict.for_task(ROW_SUMS), speed_position=POSITION, signature="a machine · cpu, 1 thread · 2026-11-20"
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(progress_file, "_in_memory", None)


def verdict_with(**changes):
    return replace(VERDICT, speed_position=replace(POSITION, **changes))


def test_sentence_has_time_share_and_the_others_by_speed():
    assert speed_position_chart.sentence(POSITION) == (
        "your answer: 1.30 ms, 41\xa0% of the limit; $x$: 2.00 ms; where: 9.00 ms; slow loop: 120 ms"
    )


def test_alternative_text_has_all_figures_of_the_chart():
    text = speed_position_chart.alternative_text(VERDICT, POSITION)
    assert text.startswith("Time of one call of row_sums at size 40. your answer: 1.30 ms, 41\xa0% of the limit; $x$")
    assert text.endswith("; limit: 530 µs, memory bandwidth. a machine · cpu, 1 thread · 2026-11-20.")


def test_long_time_of_the_answer_fits_on_the_picture():
    verdict = verdict_with(seconds=3.65e-2, limit=Bound(1.71e-6, "launch cost"))
    figure = speed_position_chart.draw(verdict, verdict.speed_position)
    right = max(text.get_window_extent().x1 for text in figure.axes[0].texts)
    assert right < figure.bbox.x1


def test_chart_has_a_row_for_each_time_and_is_signed():
    figure = speed_position_chart.draw(VERDICT, POSITION, "Sums: so fast")
    words = [text.get_text() for text in (*figure.texts, *figure.axes[0].texts)]
    for part in (
        "your answer",
        "1.30 ms, 41\xa0%",
        "where",
        "9.00 ms",
        "limit: 530 µs, memory bandwidth",
        "Sums: so fast",
    ):
        assert part in words
    assert "time per call at size 40 · a machine · cpu, 1 thread · 2026-11-20" in words


@pytest.mark.parametrize("name", ["fresh memory in between", "by hand, stacked each time", "a" * 40, "where"])
def test_name_is_never_cut_off(name):
    figure = speed_position_chart.draw(VERDICT, replace(POSITION, others={name: 9e-3}))
    figure.draw_without_rendering()
    begins = [text.get_window_extent().x0 for text in figure.axes[0].texts]
    assert min(begins) >= 0


def test_card_has_sentence_chart_and_signature():
    page = task_card.verdict_html(VERDICT)
    assert "<p>Your answer: 1.30\xa0ms, 41\xa0% of the limit; $x$: 2.00\xa0ms;" in page
    assert f'aria-label="{speed_position_chart.alternative_text(VERDICT, POSITION)}"' in page
    assert "limits of this machine" not in page and "best so far" not in page


def test_unknown_limits_are_reported_with_the_remedy():
    assert "import machine; machine()</code>" in task_card.verdict_html(verdict_with(limit=None))
    assert "%" not in speed_position_chart.alternative_text(VERDICT, replace(POSITION, limit=None))
    assert "machine()" not in task_card.verdict_html(verdict_with(limit=None, measurable=False))


def test_uncertain_limit_is_marked():
    page = task_card.verdict_html(verdict_with(limit=Bound(0.53e-3, "memory bandwidth", uncertain=True)))
    assert "≈\xa041\xa0% of the limit" in page and "limit: ≈\xa0530 µs" in page and "This limit is uncertain" in page


def test_page_without_widgets_gets_picture_and_steady_text():
    InteractiveShell.instance()
    try:
        with capture_output() as captured:
            task_card.show_verdict(VERDICT)
    finally:
        InteractiveShell.clear_instance()
    still = captured.outputs[-1]
    assert still.data["text/plain"] == "row_sums: right, 2 points"
    assert still.metadata["image/png"]["alt"] == speed_position_chart.alternative_text(VERDICT, POSITION)
    assert "image/png" in still.data


def test_card_of_a_challenge_says_whether_this_is_the_best():
    progress_file.record_share("row_sums", POSITION.share, "a machine")
    assert "This is your best so far." in task_card.verdict_html(VERDICT)
    assert "This is your best so far." in task_card.verdict_html(verdict_with(seconds=1e-3))
    worse = task_card.verdict_html(verdict_with(seconds=2.6e-3))
    assert "Your best so far: 41\xa0% of the limit on a machine, " in worse


def test_task_card_of_a_challenge_has_the_best_so_far():
    challenge = replace(ROW_SUMS, level=3, cost=lambda size: Cost(reads=4 * size))
    challenge_text = "An open-ended challenge: come as near to the limit as you can."
    assert f"<p>{challenge_text}</p>" in task_card.task_html(challenge) and challenge_text not in task_card.task_html(
        ROW_SUMS
    )
    assert challenge_text not in task_card.task_html(tasks.load("fused_norm_kernel")), "a kernel isn't timed"
    progress_file.record_share("row_sums", 0.62, "a machine")
    assert f"{challenge_text} Your best so far: 62\xa0% of the limit on a machine, " in task_card.task_html(challenge)
    assert challenge_text in task_card.task_text(challenge) and "62" not in task_card.task_text(challenge)
