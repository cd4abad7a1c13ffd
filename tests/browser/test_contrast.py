"""Every text of charts and cards has enough contrast, in light and dark, in Jupyter, Colab, VS Code and Notebook 6."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sample_limits import PEAKS

from course_utils import tasks
from course_utils.judging import Verdict
from course_utils.judging.speed_position import SpeedPosition
from course_utils.limits import Bound
from course_utils.ui import card, race_chart, race_table, task_card
from course_utils.ui.figure_export import to_svg
from course_utils.ui.machine_card import MachineView
from course_utils.ui.theme import STYLE

THEMES = Path(sys.prefix) / "share/jupyter/lab/themes/@jupyterlab"

# JupyterLab and Notebook 7 bring the same themes. Colab has JupyterLab's light colors even on dark pages, and names the
# theme in an attribute of the root (googlecolab/colabtools#1214). VS Code has no JupyterLab colors, and names the theme
# in a class of the body.
PAGES = {
    "jupyter light": ("light", "<html><body data-jp-theme-light=true style='background:var(--jp-layout-color0)'>"),
    "jupyter dark": ("dark", "<html><body data-jp-theme-light=false style='background:var(--jp-layout-color0)'>"),
    "colab light": ("light", "<html theme=light><body style='background:#ffffff'>"),
    "colab dark": ("light", "<html theme=dark><body style='background:#383838'>"),
    "vscode light": (None, "<html><body class=vscode-light style='background:#ffffff'>"),
    "vscode dark": (None, "<html><body class=vscode-dark style='background:#1f1f1f'>"),
    "notebook 6": (None, "<html><body style='--jp-ui-font-color2:#9e9e9e'>"),
}

# The contrast (WCAG 2) of each piece of text with its background, as the browser draws both.
MEASURE = """root => {
    const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const rgba = color => {
        pen.clearRect(0, 0, 1, 1); pen.fillStyle = color; pen.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
        return [red, green, blue, alpha / 255];
    };
    const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const luminance = color => color.slice(0, 3).map(part => part / 255)
        .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = element => {
        const own = rgba(getComputedStyle(element).backgroundColor);
        if (own[3] === 1) return own;
        return over(own, element.parentElement ? behind(element.parentElement) : [255, 255, 255, 1]);
    };
    const found = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement, words = walker.currentNode.textContent.trim();
        if (!words || element.closest('style') || !element.getClientRects().length) continue;
        const style = getComputedStyle(element), paper = behind(element);
        const ink = over(rgba(element instanceof SVGElement ? style.fill : style.color), paper);
        const [dark, light] = [luminance(ink), luminance(paper)].sort((a, b) => a - b);
        found.push([(light + 0.05) / (dark + 0.05), words]);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def everything():
    """Return the HTML of a race's view with every kind of failure, of a task's card and of the machine's card."""
    from course_utils.races import race
    from course_utils.races.finding import finding

    contenders = {f"version {i}": (lambda n, i=i: sum(range(10 ** (i % 4 + 1)))) for i in range(4)}
    contenders |= {"version 4": contenders["version 0"], "version 5": contenders["version 1"]}
    contenders["wrong"] = lambda n: "nothing"
    result = race("all-at-once", contenders, lambda n, device: (n,), [1, 2], same=_same).run(budget_s=0.2)
    figure = race_chart.draw(result, guess=3, headline=finding(result))
    machine = MachineView("cpu", 1)
    machine.show(PEAKS)
    parts = [
        to_svg(figure, "chart"),
        f"<div class=unloop>{race_table.remarks(result)}<span style='color:var(--unloop-muted)'>Starting</span></div>",
        race_table.table(result).replace("<details", "<details open"),
        task_card.task_html(tasks.load("clip_and_scale")),
        task_card.verdict_html(_verdict_with_chart()),
        card.card("<h4>A heading</h4><p class='unloop-sign'>signed</p><pre># a comment\n</pre>", "card"),
        machine.card.value,
    ]
    return STYLE + "".join(parts)


def _verdict_with_chart():
    """Return a right verdict whose card has a chart with an uncertain limit."""
    limit = Bound(0.5e-3, "memory bandwidth", uncertain=True)
    speed_position = SpeedPosition(1.3e-3, 1.2e-3, 1.5e-3, {"where": 9e-3, "slow loop": 0.12}, limit, True)
    return replace(Verdict.for_task(tasks.load("clip_and_scale")), speed_position=speed_position, signature="signed")


def _same(expected, given):
    return "it is something else" if isinstance(given, str) else None


@pytest.fixture(scope="module")
def tab(browser):
    tab = browser.new_page(viewport={"width": 1000, "height": 2200})
    yield tab
    tab.close()


@pytest.mark.parametrize("page", PAGES)
def test_every_text_has_enough_contrast(tab, everything, page):
    theme, opening = PAGES[page]
    tab.set_content(f"<!doctype html>{opening}{everything}</body></html>")
    if theme:
        tab.add_style_tag(content=(THEMES / f"theme-{theme}-extension" / "index.css").read_text())
    contrasts = tab.evaluate(MEASURE, tab.query_selector("body"))
    assert {"✗ wrong: wrong result", "for", "# a comment", "All figures", "This machine", "your answer"} <= {
        each for _, each in contrasts
    }
    assert [(round(ratio, 2), each) for ratio, each in contrasts if ratio < 4.5] == []
