"""The card of a task, with hints behind a button, and the card of a verdict, with the measured figures.

Cards are HTML in the page's own colors. A page without widgets shows plain text that never varies.
"""

from __future__ import annotations

import html
import inspect
from typing import Any

from markdown_it import MarkdownIt

from course_utils.core.line_breaks import break_lines
from course_utils.core.wording import format_ratio, pluralize
from course_utils.counting import Counts
from course_utils.judging import Verdict
from course_utils.judging.speed_position import SpeedPosition
from course_utils.learner import progress_file
from course_utils.learner.commands import next_hint
from course_utils.learner.progress import share_phrase
from course_utils.races.ranking import TIE_FACTOR
from course_utils.tasks import Task
from course_utils.tasks.task import LEVELS, SLOW_LOOP
from course_utils.tasks.what_counts import what_counts
from course_utils.ui import race_chart, speed_position_chart
from course_utils.ui.card import card, with_code
from course_utils.ui.figure_export import to_svg
from course_utils.ui.page_output import publish

_CHALLENGE = "An open-ended challenge: come as near to the limit as you can."
_COMPARE = "<p>Now unfold the solution below, and compare it with yours.</p>"
_MARKDOWN = MarkdownIt("commonmark", {"html": False})


def show_task(task: Task) -> None:
    """Show a task's card: the story, the slow loop, what counts, the points, and hints one at a time."""
    import ipywidgets as widgets

    children = [widgets.HTML(task_html(task))]
    if task.hints:
        children += _hints(task)
    publish(widgets.VBox(children), task_text(task))


def show_verdict(verdict: Verdict) -> None:
    """Show the measured figures of a check; the text in their place contains no figure that varies."""
    import ipywidgets as widgets

    live, text, speed_position = widgets.HTML(verdict_html(verdict)), repr(verdict), verdict.speed_position
    if speed_position is None:
        publish(live, text)
        return
    title = f"{verdict.title} · {speed_position_chart.headline(speed_position)}"
    picture = speed_position_chart.draw(verdict, speed_position, title)
    publish(live, text, picture, speed_position_chart.alternative_text(verdict, speed_position))


def task_text(task: Task) -> str:
    """Return the card of a task as plain text."""
    head = f"{task.title} · {_worth(task)}"
    challenge = _CHALLENGE if _aims_at_limit(task) else ""
    source = inspect.getsource(task.slow)
    story, counts = break_lines(task.story), break_lines(what_counts(task))
    parts = [head, challenge, story, "The slow loop:", source, "What counts:", counts]
    return "\n\n".join(part.strip("\n") for part in parts if part)


def task_html(task: Task) -> str:
    """Return the card of a task as HTML."""
    content = (
        f'<span class="unloop-points">{_worth(task)}</span><h3>{html.escape(task.title)}</h3>{_challenge(task)}'
        f"{markdown(task.story)}"
        f"<h4>The slow loop</h4><pre tabindex=0>{_highlight(inspect.getsource(task.slow))}</pre>"
        f"<h4>What counts</h4>{markdown(what_counts(task))}"
    )
    return card(content, f"Task {task.id}")


def verdict_html(verdict: Verdict) -> str:
    """Return the card of a verdict as HTML."""
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in _rows(verdict))
    content = (
        f'<span class="unloop-points">{_earned_points(verdict)}</span>'
        f"<h3>{'Right' if verdict.right else 'Not right yet'}: {html.escape(verdict.title)}</h3>"
        f"{'' if verdict.max_points else _COMPARE}<table>{rows}</table>{_speed_position(verdict)}"
    )
    return card(content, f"Result of {verdict.task}")


def markdown(text: str) -> str:
    """Return an author's Markdown as HTML; HTML in it is shown as text."""
    return _MARKDOWN.render(text)


def _speed_position(verdict: Verdict) -> str:
    """Return the machine's signature and, if measured, the answer's time in sentences and on a chart."""
    position = verdict.speed_position
    if position is None:
        return f'<p class="unloop-sign">{html.escape(verdict.signature)}</p>'
    sentence = speed_position_chart.sentence(position)
    alt = speed_position_chart.alternative_text(verdict, position)
    chart = to_svg(speed_position_chart.draw(verdict, position), alt)
    sentences = [
        f"{sentence[0].upper()}{sentence[1:]}.",
        _compilation_note(verdict, position),
        _best_note(verdict.task, position),
    ]
    limit_note = speed_position_chart.limit_note(position)
    note = f'<p class="unloop-sign">{with_code(limit_note)}</p>' if limit_note else ""
    paragraph = race_chart.keep_phrases_together(" ".join(filter(None, sentences)))
    return f"<p>{html.escape(paragraph)}</p>{chart}{note}"


def _compilation_note(verdict: Verdict, position: SpeedPosition) -> str:
    """Return a note if a compiled answer is clearly slower than a version of the lesson; else ''."""
    versions = {name: seconds for name, seconds in position.others.items() if name != SLOW_LOOP}
    if not verdict.compiled or not versions:
        return ""
    name = min(versions, key=versions.__getitem__)
    ratio = position.seconds / versions[name]
    if ratio < TIE_FACTOR:
        return ""
    return (
        f"At size {verdict.race_size:,} your compiled answer takes {format_ratio(ratio)} as long as {name!r}: "
        "compilation does not make it the fastest here."
    )


def _best_note(task_id: str, position: SpeedPosition) -> str:
    """Return, for a challenge, whether this is the learner's best answer; '' for any other task."""
    best = progress_file.read()["shares"].get(task_id)
    if best is None or position.share is None:
        return ""
    if position.share >= best["share"]:
        return "This is your best so far."
    return f"Your best so far: {share_phrase(best)}, {best['date']}."


def _aims_at_limit(task: Task) -> bool:
    """Return whether answers to the task are compared with a limit; the speed of a kernel isn't measured."""
    return task.level == 3 and task.cost is not None


def _challenge(task: Task) -> str:
    """Return what a challenge asks for, and the learner's best share of the limit; '' for any other task."""
    if not _aims_at_limit(task):
        return ""
    best = progress_file.read()["shares"].get(task.id)
    reached = f" Your best so far: {share_phrase(best)}, {best['date']}." if best else ""
    return f"<p>{_CHALLENGE}{html.escape(reached)}</p>"


def _highlight(source: str) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")


def _hints(task: Task) -> list[Any]:
    import ipywidgets as widgets

    lines: list[str] = []
    shown = widgets.HTML()
    button = widgets.Button(
        description="Show a hint", icon="lightbulb-o", tooltip=f"One hint for {task.id} at a time",
        layout=widgets.Layout(width="auto", align_self="flex-start"),
    )  # fmt: skip

    def show_next(_button: Any) -> None:
        line = next_hint(task)
        if line not in lines:
            lines.append(line)
        entries = "".join(markdown(each) for each in lines)
        shown.value = card(f'<div role="status">{entries}</div>', f"Hints for {task.id}")
        if "the last one" in line:
            button.disabled = True

    button.on_click(show_next)
    return [shown, button]


def _earned_points(verdict: Verdict) -> str:
    return f"{verdict.points} of {_points(verdict.max_points)}" if verdict.max_points else "your turn"


def _worth(task: Task) -> str:
    return f"{_points(task.points)} · level {task.level}: {LEVELS[task.level]}"


def _points(number: int) -> str:
    return pluralize(number, "point")


def _rows(verdict: Verdict) -> list[tuple[str, str]]:
    """Return the rows of the verdict's table: name and value as HTML."""
    rows = []
    ratio = verdict.ratio
    if ratio is not None:
        value = f"<strong>{format_ratio(ratio.value)}</strong> as fast as the slow loop, at size {verdict.race_size:,}"
        if ratio.low is not None and ratio.high is not None:
            value += f" (95 % interval {format_ratio(ratio.low)} to {format_ratio(ratio.high)})"
        rows.append(("Speed", value))
        if verdict.inconclusive:
            noisy = "the measurement was too noisy to decide. It costs no points."
            rows.append(("", f"At least {verdict.target:g}× is required; {noisy}"))
    as_written = ", as written" if verdict.compiled else ""
    for size, counts in verdict.counts.items():
        rows.append((f"One call at size {size:,}{as_written}", _counts_phrase(counts)))
    return rows


def _counts_phrase(counts: Counts) -> str:
    # Memory that a graph frees internally is not seen, so a graph's peak is not known.
    peak = f", {counts.peak:,} at one time" if counts.ops == counts.launches and counts.bytes else ""
    parts = [
        pluralize(counts.ops, "tensor operation"),
        f"{counts.bytes:,} bytes of new tensors{peak}",
        pluralize(counts.syncs, "synchronization"),
    ]
    parts += [pluralize(counts.transfers, "transfer")] if counts.transfers else []
    parts += [pluralize(counts.traces, "trace")] if counts.traces else []
    return ", ".join(parts)
