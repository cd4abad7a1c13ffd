"""Races, cards and the machine's limits work on a page that drops what a thread sends, as Colab does."""

import os
import time
from pathlib import Path

import pytest

from conftest import DROP, LESSONS

RACE = r"^(\w+ = )?race\("
SHOTS = Path(os.environ.get("UNLOOP_SCREENSHOTS", "test-results"))


class Page:
    """A notebook in a browser tab, with the actions of a learner."""

    def __init__(self, browser, address):
        self.tab = browser.new_page(viewport={"width": 1200, "height": 1100})
        self.tab.add_init_script(DROP)
        self.tab.goto(address)
        # The extension for widgets is loaded last.
        self.tab.wait_for_function(
            "window.Jupyter?.notebook?.kernel?.is_connected() && Jupyter.notebook.kernel.widget_manager", timeout=60_000
        )
        # The page first asks the kernel for existing widgets, and no event reports when it has finished.
        self.tab.wait_for_timeout(3000)

    def run_to(self, marker):
        """Execute the cells up to the first one whose code matches ``marker``, and return that cell."""
        index = self.tab.evaluate(
            """text => {
                const marker = new RegExp(text, 'm');
                const cells = Jupyter.notebook.get_cells();
                const index = cells.findIndex(each => each.cell_type === 'code' && marker.test(each.get_text()));
                cells.forEach(each => each.cell_type === 'code' && each.set_input_prompt());
                Jupyter.notebook.execute_cell_range(0, index + 1);
                cells[index].element[0].dataset.name = 'wanted';
                return index;
            }""",
            marker,
        )
        self.tab.wait_for_function(
            "index => Jupyter.notebook.get_cells().slice(0, index + 1)"
            ".every(each => each.cell_type !== 'code' || !each.get_text() || typeof each.input_prompt_number === 'number')",
            arg=index,
            timeout=120_000,
        )
        cell = self.tab.locator("[data-name=wanted]")
        cell.locator(".output").scroll_into_view_if_needed()
        return cell

    def errors(self):
        return self.tab.locator(".output_error").all_inner_texts()

    def shoot(self, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.tab.screenshot(path=SHOTS / f"{name}.png")


@pytest.fixture
def page(browser, server):
    pages = []

    def opened(path):
        pages.append(Page(browser, server(path)))
        return pages[-1]

    yield opened
    for each in pages:
        each.tab.evaluate("Jupyter.notebook.session.delete()")
        each.tab.close()


def button(cell, name):
    return cell.locator("button", has_text=name)


@pytest.mark.parametrize("lesson", LESSONS)
def test_run_shows_progress_and_result(page, lesson):
    page = page(f"notebooks/{lesson}.ipynb")
    cell = page.run_to(RACE)
    before = cell.locator(".unloop svg").inner_html()
    button(cell, "Run").click()
    cell.get_by_text("interrupt the kernel").wait_for(timeout=5000)
    page.tab.wait_for_function(
        "before => document.querySelector('[data-name=wanted] .unloop svg').innerHTML !== before",
        arg=before,
        timeout=60_000,  # The first race on a machine starts with measuring its limits.
    )
    assert 0 < cell.locator(".progress-bar").evaluate("bar => parseFloat(bar.style.width)") < 100
    assert button(cell, "Run").is_disabled()
    page.shoot(f"colab-{lesson}-running")
    page.tab.wait_for_function(
        "!document.querySelector('[data-name=wanted] button.mod-primary').disabled", timeout=60_000
    )
    assert cell.locator(".unloop svg").inner_html() != before
    assert not cell.get_by_text("interrupt the kernel").is_visible()
    assert page.errors() == []
    page.shoot(f"colab-{lesson}")


def test_interrupt_stops_a_race(page):
    page = page("notebooks/03_element_loops.ipynb")
    cell = page.run_to(RACE)
    button(cell, "Run").click()
    cell.get_by_text("interrupt the kernel").wait_for(timeout=5000)
    assert not button(cell, "Stop").is_visible()
    page.tab.wait_for_timeout(1500)
    page.tab.get_by_title("interrupt the kernel").click()
    clicked = time.monotonic()
    cell.get_by_text("Stopped", exact=True).wait_for(timeout=10_000)
    assert time.monotonic() - clicked < 2
    assert button(cell, "Run").is_enabled()
    assert page.errors() == []


def test_limits_can_be_measured_again(page):
    page = page("notebooks/00_start_here.ipynb")
    cell = page.run_to(r"^machine\(")
    button(cell, "Measure again").click()
    bar = cell.locator(".progress-bar")
    bar.wait_for(timeout=5000)
    page.tab.wait_for_function(
        "parseFloat(document.querySelector('[data-name=wanted] .progress-bar').style.width) > 40"
    )
    bar.wait_for(state="hidden", timeout=60_000)
    assert button(cell, "Measure again").is_enabled()
    assert page.errors() == []


def test_styles_of_the_page_keep_those_of_cards_and_tables(page):
    page = page("notebooks/03_element_loops.ipynb")
    page.tab.evaluate(
        "Jupyter.notebook.insert_cell_at_index('code', 0).set_text('from course_utils import task; "
        'task("clip_and_scale")\')'
    )
    code = page.run_to("clip_and_scale").locator(".unloop-card pre")
    code.wait_for()
    padding, paper = code.evaluate("pre => [getComputedStyle(pre).padding, getComputedStyle(pre).backgroundColor]")
    assert (padding, paper) == ("10px 12px", "rgb(245, 245, 245)")
    page.tab.evaluate("delete document.querySelector('[data-name=wanted]').dataset.name")
    summary = page.run_to(RACE).locator(".unloop-table summary")
    assert summary.evaluate("element => getComputedStyle(element).display") == "list-item"
