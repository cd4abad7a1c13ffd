"""The card of a task, with hints behind a button, and the card of a verdict, with the figures that were measured.

Cards are HTML in the page's own colors. What a page without widgets shows is plain text that never varies.
"""

import html
import inspect

from markdown_it import MarkdownIt

from course_utils.core.wording import format_ratio, pluralize
from course_utils.counting import Counts
from course_utils.judging import Verdict
from course_utils.judging.speed_position import SpeedPosition
from course_utils.learner import progress_file
from course_utils.learner.commands import next_hint
from course_utils.learner.progress import share_phrase
from course_utils.tasks import Task
from course_utils.tasks.task import LEVELS
from course_utils.tasks.what_counts import what_counts
from course_utils.ui import speed_position_chart
from course_utils.ui.card import card
from course_utils.ui.export import to_svg
from course_utils.ui.publish import publish

_ENDLESS = "A challenge without an end: as near to the limit as you can."
_PRACTISED = "<p>Now unfold what stands below, and compare it with yours.</p>"
_MARKDOWN = MarkdownIt("commonmark", {"html": False})


def show_task(task: Task) -> None:
    """Show a task's card: the story, the slow loop, what counts, the points, and hints one at a time."""
    import ipywidgets as widgets

    children = [widgets.HTML(task_html(task))]
    if task.hints:
        children += _hints(task)
    publish(widgets.VBox(children), task_text(task))


def show_verdict(verdict: Verdict) -> None:
    """Show what was measured; the text that stands for it holds no figure that varies."""
    import ipywidgets as widgets

    live, text, speed_position = widgets.HTML(verdict_html(verdict)), repr(verdict), verdict.speed_position
    if speed_position is None:
        publish(live, text)
        return
    picture = speed_position_chart.draw(
        verdict, speed_position, f"{verdict.title}: {speed_position_chart.headline(speed_position)}"
    )
    publish(live, text, picture, speed_position_chart.alternative_text(verdict, speed_position))


def task_text(task: Task) -> str:
    """The card as plain text."""
    head = f"{task.title} · {_worth(task)}"
    asked = _ENDLESS if task.level == 3 else ""
    parts = [head, asked, task.story, "The slow loop:", inspect.getsource(task.slow), "What counts:", what_counts(task)]
    return "\n\n".join(part.strip("\n") for part in parts if part)


def task_html(task: Task) -> str:
    """The card as HTML."""
    content = (
        f'<span class="unloop-points">{_worth(task)}</span><h3>{html.escape(task.title)}</h3>{_challenge(task)}'
        f"{markdown(task.story)}"
        f"<h4>The slow loop</h4><pre tabindex=0>{_highlighted(inspect.getsource(task.slow))}</pre>"
        f"<h4>What counts</h4>{markdown(what_counts(task))}"
    )
    return card(content, f"Task {task.id}")


def verdict_html(verdict: Verdict) -> str:
    """What was measured, as HTML."""
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in _figures(verdict))
    content = (
        f'<span class="unloop-points">{_earned(verdict)}</span>'
        f"<h3>{'Right' if verdict.right else 'Not right yet'}: {html.escape(verdict.title)}</h3>"
        f"{'' if verdict.max_points else _PRACTISED}<table>{rows}</table>{_placed(verdict)}"
    )
    return card(content, f"Result of {verdict.task}")


def _placed(verdict: Verdict) -> str:
    """Where the answer stands, with the machine's signature, which the chart carries itself."""
    speed_position = verdict.speed_position
    if speed_position is None:
        return f'<p class="unloop-sign">{html.escape(verdict.signature)}</p>'
    sentence = speed_position_chart.sentence(speed_position)
    chart = to_svg(
        speed_position_chart.draw(verdict, speed_position),
        speed_position_chart.alternative_text(verdict, speed_position),
    )
    said = [sentence[0].upper() + sentence[1:] + ".", _against_best(verdict.task, speed_position)]
    remark = speed_position_chart.limit_note(speed_position)
    note = f'<p class="unloop-sign">{html.escape(remark)}</p>' if remark else ""
    return f"<p>{html.escape(' '.join(filter(None, said)))}</p>{chart}{note}"


def _against_best(task_id: str, speed_position: SpeedPosition) -> str:
    """For a challenge, whether this is the learner's best; '' for any other task."""
    best = progress_file.read()["shares"].get(task_id)
    if best is None or speed_position.share is None:
        return ""
    if speed_position.share >= best["share"]:
        return "This is your best so far."
    return f"Your best so far: {share_phrase(best)}, {best['date']}."


def _challenge(task: Task) -> str:
    """What a challenge asks for, and how near its reader has come; '' for any other task."""
    if task.level != 3:
        return ""
    best = progress_file.read()["shares"].get(task.id)
    reached = f" Your best so far: {share_phrase(best)}, {best['date']}." if best else ""
    return f"<p>{_ENDLESS}{html.escape(reached)}</p>"


def markdown(text: str) -> str:
    """An author's Markdown as HTML; HTML in it is shown as text."""
    return _MARKDOWN.render(text)


def _highlighted(source: str) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")


def _hints(task: Task) -> list:
    import ipywidgets as widgets

    shown: list[str] = []
    told = widgets.HTML()
    button = widgets.Button(
        description="Show a hint", icon="lightbulb-o", tooltip=f"One hint for {task.id} at a time",
        layout=widgets.Layout(width="auto", align_self="flex-start"),
    )  # fmt: skip

    def tell(_) -> None:
        line = next_hint(task)
        if line not in shown:
            shown.append(line)
        entries = "".join(markdown(each) for each in shown)
        told.value = card(f'<div role="status">{entries}</div>', f"Hints for {task.id}")
        if "the last one" in line:
            button.disabled = True

    button.on_click(tell)
    return [told, button]


def _earned(verdict: Verdict) -> str:
    return f"{verdict.points} of {_points(verdict.max_points)}" if verdict.max_points else "your turn"


def _worth(task: Task) -> str:
    return f"{_points(task.points)} · level {task.level}: {LEVELS[task.level]}"


def _points(number: int) -> str:
    return pluralize(number, "point")


def _figures(verdict: Verdict) -> list[tuple[str, str]]:
    rows = []
    if verdict.ratio is not None:
        told = f"<strong>{format_ratio(verdict.ratio.value)}</strong> the slow loop, at size {verdict.race_size:,}"
        if verdict.ratio.low is not None and verdict.ratio.high is not None:
            told += f" (95 % interval {format_ratio(verdict.ratio.low)} to {format_ratio(verdict.ratio.high)})"
        rows.append(("Speed", told))
        if verdict.inconclusive:
            rows.append(("", f"Inconclusive against {verdict.target:g}×: the machine was too busy. It costs nothing."))
    for size, counts in verdict.counts.items():
        rows.append((f"One call at size {size:,}", _counted(counts)))
    return rows


def _counted(counts: Counts) -> str:
    # What a graph frees on its way is not seen.
    peak = f", {counts.peak:,} at one time" if counts.ops == counts.launches and counts.bytes else ""
    told = [
        pluralize(counts.ops, "tensor operation"),
        f"{counts.bytes:,} bytes of new tensors{peak}",
        f"{pluralize(counts.syncs, 'wait')} for a value",
    ]
    told += [f"{pluralize(counts.transfers, 'transfer')} asked for"] if counts.transfers else []
    return ", ".join(told) + (f", {counts.traces} traces" if counts.traces else "")
