"""A learner's path through a lesson, in a real JupyterLab and Chromium, on light and dark pages; at its end the learner
opens saved pages again.
"""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parents[2]
LESSON = "03_element_loops.ipynb"
# nbval runs the cells after this one. No cell here measures the limits, so the race's first run does.
LAST_CELL = "why-count"
SHOTS = os.environ.get("UNLOOP_SCREENSHOTS")  # a folder for pictures of the page, for a person
VIEWPORT = {"width": 1280, "height": 1000}
NOTEBOOK = "jupyterapp.shell.currentWidget"

# Stores in `frames_s` when the chart around an SVG changes, in seconds from now.
WATCH = """svg => {
    const start = performance.now(), times = window.frames_s = [];
    const note = () => times.push((performance.now() - start) / 1000);
    new MutationObserver(note).observe(svg.closest('.jupyter-widgets'), {childList: true, subtree: true});
}"""

# Stores in `stopped_s` when the cell reports that the race has stopped, in seconds from the click on the button.
WAIT = """button => {
    window.stopped_s = null;
    button.addEventListener('click', () => {
        const start = performance.now(), cell = button.closest('[data-name]');
        const watcher = new MutationObserver(() => {
            if (![...cell.querySelectorAll('*')].some(each => each.textContent.trim() === 'Stopped')) return;
            window.stopped_s = (performance.now() - start) / 1000;
            watcher.disconnect();
        });
        watcher.observe(cell, {childList: true, characterData: true, subtree: true});
    }, {capture: true, once: true});
}"""


class Page:
    """The lesson in a browser tab, and a learner's actions there."""

    def __init__(self, tab, address):
        self.tab, self.complaints = tab, []
        tab.set_default_timeout(60_000)  # on a busy machine, the page takes long
        tab.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.goto(address)
        self.wait_for(f"window.jupyterapp && {NOTEBOOK}?.sessionContext?.session?.kernel?.status === 'idle'")

    def wait_for(self, condition):
        """Wait until the condition is true; asking at each frame, as is the default, would take a core."""
        self.tab.wait_for_function(condition, polling=200, timeout=200_000)

    def open(self, name):
        """Open another notebook in this JupyterLab, and return its panel."""
        return self.tab.locator(
            "#"
            + self.tab.evaluate("async path => (await jupyterapp.commands.execute('docmanager:open', {path})).id", name)
        )

    def cell(self, name):
        """Return the cell with the id `name`, scrolled into view."""
        self.tab.evaluate(
            f"""async name => {{
                const cells = {NOTEBOOK}.content.widgets;
                const index = cells.findIndex(cell => cell.model.id === name);
                {NOTEBOOK}.content.activeCellIndex = index;
                await {NOTEBOOK}.content.scrollToItem(index, 'start');
                cells[index].node.dataset.name = name;
            }}""",
            name,
        )
        cell = self.tab.locator(f"[data-name={name}]")
        cell.locator(".jp-OutputArea").scroll_into_view_if_needed()
        return cell

    def run_all(self):
        self.tab.get_by_role("menuitem", name="Run", exact=True).click()
        self.tab.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        done = f"""{NOTEBOOK}.content.widgets.every(
            cell => cell.model.type !== 'code' || !cell.model.sharedModel.source || cell.model.executionState === 'idle')"""
        self.tab.wait_for_timeout(500)
        self.wait_for(done)

    def outputs(self):
        """Return all outputs of all code cells, as in the notebook's file."""
        return self.tab.evaluate(
            f"{NOTEBOOK}.content.widgets.flatMap(cell => cell.model.type === 'code' ? cell.model.outputs.toJSON() : [])"
        )

    def theme(self, name):
        self.tab.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", name)
        light = str(name.endswith("Light")).lower()
        self.tab.wait_for_selector(f"body[data-jp-theme-light={light}]", state="attached")

    def shoot(self, name):
        if SHOTS:
            self.tab.screenshot(path=Path(SHOTS, f"{name}.png"))


@pytest.fixture(scope="module")
def page(browser, lab):
    lesson = nbformat.read(ROOT / "notebooks" / LESSON, as_version=4)
    last = [cell.id for cell in lesson.cells].index(LAST_CELL)
    lesson.cells = lesson.cells[: last + 1]
    nbformat.write(lesson, lab.home / LESSON)
    tab = browser.new_page(viewport=VIEWPORT)
    yield Page(tab, lab.in_lab(LESSON))
    tab.close()


@pytest.fixture(scope="module")
def executed(page):
    page.run_all()
    return page


def button(cell, name):
    return cell.locator("button.jupyter-button", has_text=name)


def test_stored_lesson_shows_its_pictures_and_no_missing_widget(page):
    cell = page.cell("race-where")
    assert cell.locator("img").evaluate("image => image.naturalWidth") > 1000
    assert page.tab.get_by_text("Error displaying widget").count() == 0
    page.shoot("stored")


def test_run_all_gives_a_page_without_errors_and_warnings(executed):
    outputs = executed.outputs()
    troubles = [each for each in outputs if each["output_type"] == "error" or each.get("name") == "stderr"]
    assert not troubles
    cell = executed.cell("race-where")
    assert "as fast as" in cell.locator(".unloop svg").get_attribute("aria-label")
    assert not cell.locator("img").is_visible()  # the still is visible only without the widget
    executed.shoot("executed-light")


def test_guess_can_be_locked_in_after_the_slider_is_moved(executed):
    cell = executed.cell("predict-where")
    button(cell, "Lock in my guess").click()
    cell.get_by_text("Move the slider first.").wait_for()
    cell.locator(".noUi-handle").press("ArrowRight")
    cell.get_by_text("110×").wait_for()
    executed.tab.keyboard.press("Tab")
    assert button(cell, "Lock in my guess").evaluate("button => getComputedStyle(button).outlineWidth") == "2px"
    executed.tab.keyboard.press("Enter")
    cell.get_by_text("Locked in: 110×").wait_for()
    executed.shoot("guess-light")


def test_first_run_measures_the_limits_and_says_so(executed, lab):
    assert not (lab.home / "progress" / "limits").exists()
    cell = executed.cell("race-where")
    button(cell, "Run").click()
    first = cell.get_by_text("First, measuring the limits of this machine")
    first.wait_for()
    executed.shoot("limits-light")
    first.wait_for(state="hidden", timeout=200_000)
    button(cell, "Stop").click()
    cell.get_by_text("Stopped", exact=True).wait_for()
    assert "physical limit" in cell.locator(".unloop svg").inner_html()


def test_race_runs_draws_and_stops(executed):
    cell = executed.cell("race-where")
    cell.locator(".unloop svg").evaluate(WATCH)
    before = cell.locator(".unloop svg").inner_html()
    button(cell, "Run").click()
    cell.get_by_text("n = 4,096: racing").wait_for()  # the guess is about the previous size
    executed.shoot("running-light")
    frames = executed.tab.evaluate("frames_s")
    assert frames[0] < 5  # A chart that waited for the end of a race, which takes 10 s, would come later.
    assert len(frames) >= 5  # the chart moves
    assert 0 < float(cell.locator(".progress-bar").evaluate("bar => parseFloat(bar.style.width)")) < 100
    assert cell.locator(".unloop svg").inner_html() != before

    button(cell, "Stop").evaluate(WAIT)
    button(cell, "Stop").click()
    cell.get_by_text("Stopped", exact=True).wait_for()
    assert executed.tab.evaluate("stopped_s") < 5  # The rest of the race would take longer.
    assert button(cell, "Run").is_enabled()
    cell.get_by_text("You guessed 110×").wait_for()


@pytest.mark.parametrize("shade", ["light", "dark"])
def test_race_follows_the_theme(executed, shade):
    executed.theme(f"JupyterLab {shade.title()}")
    cell = executed.cell("race-where")
    executed.shoot(f"stopped-{shade}")
    ink = cell.locator(".unloop").first.evaluate("block => getComputedStyle(block).color.match(/\\d+/g).map(Number)[0]")
    assert (ink > 127) == (shade == "dark")
    assert executed.complaints == []


RACE = """import time
from course_utils import predict, race

def pause(seconds):
    return lambda n: time.sleep(seconds)

predict("pauses", "How many times faster?")
race("pauses", {"slow": pause(0.004), "fast": pause(0.001)}, lambda n, device: (n,), [1, 2])"""


@pytest.fixture(scope="module")
def saved(lab):
    """Return two notebooks that were saved without the state of their widgets: the learner's own, and a stranger's."""
    notebook = new_notebook(cells=[new_code_cell(RACE)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UNLOOP_HOME", lab.environment["UNLOOP_HOME"])
        NotebookClient(notebook, kernel_name="python3", store_widget_state=False).execute()
    for name in ("own.ipynb", "strange.ipynb"):
        nbformat.write(notebook, lab.home / name)
        notebook.cells[0].source += "  # changed by someone else"
    trust = [sys.executable, "-m", "jupyter", "trust", "own.ipynb"]
    subprocess.run(trust, cwd=lab.home, env=lab.environment, check=True, capture_output=True)
    return lab


# The server does not trust a stranger's page.
@pytest.mark.parametrize("name", ["own.ipynb", "strange.ipynb"])
def test_saved_page_shows_its_charts_and_no_errors(page, saved, name):
    check_saved_page(page.open(name), name)


def test_saved_page_shows_its_charts_and_no_errors_in_notebook_7(browser, saved):
    tab = browser.new_page(viewport=VIEWPORT)
    tab.set_default_timeout(60_000)
    tab.goto(saved.in_notebook("own.ipynb"))
    check_saved_page(tab, "own.ipynb")
    tab.close()


def check_saved_page(page, name):
    chart = page.locator(".jp-OutputArea img")
    chart.wait_for()
    if name == "own.ipynb":  # The page does not look for a stranger's widgets.
        page.get_by_text("Error displaying widget").first.wait_for(state="attached")
    assert page.get_by_text("Error displaying widget").filter(visible=True).count() == 0
    assert chart.evaluate("image => image.naturalWidth") > 1000
    assert "time per call against size for 'slow', 'fast'" in chart.get_attribute("alt")
    assert page.get_by_text("Your guess: How many times faster?").is_visible()
