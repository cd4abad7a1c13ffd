"""Cards show the task, the measured figures and the progress; their plain text never varies."""

from dataclasses import replace

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from course_utils.counting import Counts
from course_utils.judging import Verdict
from course_utils.judging.speed_position import SpeedPosition
from course_utils.learner import progress_file
from course_utils.learner.progress import progress
from course_utils.timing import Ratio
from course_utils.ui import progress_card, task_card

pytest.importorskip("torch")

import temporary_tasks
from sample_task import PRACTICE, ROW_SUMS


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(progress_file, "_in_memory", None)
    InteractiveShell.instance()
    yield
    InteractiveShell.clear_instance()


def displayed_text(show, value):
    with capture_output() as captured:
        show(value)
    live, still = captured.outputs
    assert "application/vnd.jupyter.widget-view+json" in live.data
    return still.data["text/plain"]


def test_task_card_has_story_loop_rules_and_points():
    text = displayed_text(task_card.show_task, ROW_SUMS)
    page = task_card.task_html(ROW_SUMS)
    for part in (
        "The sum of each row",
        "2 points · level 1: applies the lesson",
        "Sum up.",
        "row_sums_slow",
        "A few operations.",
        "Create new tensors on the device of the inputs, as the loop does.",
    ):
        assert part in text and part in page
    assert 'aria-label="Task row_sums"' in page
    assert "Think" not in text + page  # hints are shown only on request


def test_hints_are_shown_one_per_click():
    shown, button = task_card._hints(ROW_SUMS)
    button.click()
    assert "Hint 1 of 2: Think." in shown.value and "Hint 2" not in shown.value
    button.click()
    assert "Hint 1 of 2" in shown.value and "<code>sum</code>" in shown.value and button.disabled


def test_figures_of_a_verdict_are_on_the_card_and_not_in_the_text():
    verdict = replace(
        Verdict.for_task(ROW_SUMS),
        counts={8: Counts(ops=1, launches=1, bytes=32, syncs=1, transfers=1)},
        ratio=Ratio(412.3, 398.0, 430.0),
        signature="a machine · 1 thread",
    )
    page = task_card.verdict_html(verdict)
    for part in (
        "412×",
        "398×",
        "430×",
        "1 tensor operation,",
        "32 bytes",
        "1 synchronization, 1 transfer<",
        "One call at size 8<",
        "a machine · 1 thread",
        "2 of 2 points",
    ):
        assert part in page
    assert displayed_text(task_card.show_verdict, verdict) == "row_sums: right, 2 points"


COMPILED = replace(
    Verdict.for_task(ROW_SUMS), compiled=True, counts={8: Counts(ops=9, launches=9)}, signature="a machine"
)


def test_counts_of_a_compiled_answer_are_labeled_as_written():
    assert "One call at size 8, as written<" in task_card.verdict_html(COMPILED)


@pytest.mark.parametrize(("seconds", "is_reported"), [(1.27e-3, True), (1.2e-3, False), (0.5e-3, False)])
def test_compiled_answer_slower_than_an_eager_version_is_reported(seconds, is_reported):
    position = SpeedPosition(seconds, seconds, seconds, {"eager": 1e-3, "slow loop": 1e-4})
    note = "your compiled answer takes 1.27× as long as &#x27;eager&#x27;: compilation does not make it the fastest"
    assert (note in task_card.verdict_html(replace(COMPILED, speed_position=position))) == is_reported
    assert "compiled" not in task_card.verdict_html(replace(COMPILED, compiled=False, speed_position=position))


def test_card_of_practice_mentions_no_points():
    verdict = Verdict.for_task(PRACTICE)
    assert "point" not in displayed_text(task_card.show_verdict, verdict)
    page = task_card.verdict_html(verdict)
    assert '<span class="unloop-points">your turn</span>' in page and "unfold the solution below" in page
    assert "unfold" not in task_card.verdict_html(Verdict.for_task(ROW_SUMS))


def test_inconclusive_race_is_reported_and_costs_no_points():
    verdict = replace(Verdict.for_task(ROW_SUMS), ratio=Ratio(5.0, 2.0, 9.0), inconclusive=True)
    assert (
        "At least 5× is required; the measurement was too noisy to decide. It costs no points."
        in task_card.verdict_html(verdict)
    )
    assert verdict.points == 2


def test_stories_are_markdown():
    page = task_card.markdown("Write `f(x)` with **care** & *joy*,\nsoon.\n\n- one `a*b*c`\n- two")
    assert page == (
        "<p>Write <code>f(x)</code> with <strong>care</strong> &amp; <em>joy</em>,\nsoon.</p>\n"
        "<ul>\n<li>one <code>a*b*c</code></li>\n<li>two</li>\n</ul>\n"
    )


def test_html_in_a_story_is_escaped():
    page = task_card.task_html(replace(ROW_SUMS, title="a < b", story="`<script>`, <script>,\n\n<script>\n"))
    assert "<script>" not in page and page.count("&lt;script&gt;") == 3 and "a &lt; b" in page


@pytest.mark.slow
def test_progress_card_shows_every_lesson_and_its_results():
    progress_file.record_task("double", 1, 1, 31.42)
    progress_file.record_hint("double")
    progress_file.record_race("where", 4123.0, "cpu")
    page = progress_card.progress_html(progress())
    for part in ("1 of ", "00 · start here", "31.4×", "1 of 1 point, 1 hint", "not tried yet", "4,120×", "on cpu"):
        assert part in page
    assert "level 1: applies the lesson" in page and "prediction" not in page
    assert "1 of 1 points in 1 task tried" in displayed_text(progress_card.show_progress, progress())


@pytest.mark.slow
def test_progress_card_ticks_a_lesson_with_all_its_practice(monkeypatch, tmp_path):
    files = {f"lesson_98_sample/practice_{place}_turn_{place}.py": "" for place in (1, 2)}
    temporary_tasks.add(monkeypatch, tmp_path, files)
    progress_file.record_practice("turn_1")
    progress_file.record_guess("where", 4)
    page = progress_card.progress_html(progress())
    assert "98 · sample · your turn: 1 of 2<" in page
    assert "<p>1 prediction still to be judged</p>" in page
    progress_file.record_practice("turn_2")
    assert "your turn: 2 of 2 ✓" in progress_card.progress_html(progress())
