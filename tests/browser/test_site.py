"""The course on the web: every page builds without a broken link, and Chromium shows living pages without a server."""

import functools
import http.server
import re
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from course_utils.authoring.website.build import SiteIncomplete, build
from course_utils.races import recordings

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("notebooks", "exercises", "site", "recordings", "benchmarks", "docs")
LESSON = "notebooks/03_element_loops"
MB = 1000**2

PAGES = ("index", "notebooks/00_start_here", "lessons", "exercises/03_element_loops", "results/amd-epyc-2-cores")
# One page of each kind is enough for the dark and the narrow layout.
PAGE_OF_EACH_KIND = ("index", "notebooks/00_start_here", "results/amd-epyc-2-cores")
NO_COLORS = {"color-contrast": {"enabled": False}}  # Colors are the same as on a wide page.
NOTHING_MOVES = "document.getAnimations().every(each => each.effect.getComputedTiming().iterations === Infinity)"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 800}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Return a copy of the site's sources, in which a race of lesson 03 has the result of a second machine."""
    root = tmp_path_factory.mktemp("course")
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, root / folder)
    shutil.copy(ROOT / "pyproject.toml", root)
    path = root / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    (recorded,) = (each for each in recordings.load() if each.race == "where" and each.device == "cpu")
    (cell,) = (cell for cell in notebook.cells if cell.id == "race-where")
    race = recordings.compact_json(replace(recorded, machine="Second machine", date="2026-01-01"))
    cell.outputs[-1].metadata["unloop"] = {"race": race}
    nbformat.write(notebook, path)
    return root


@pytest.fixture(scope="module")
def site(course):
    """Return the folder with the pages of the whole course."""
    return build(course, course / "build")


@pytest.fixture(scope="module")
def address(site):
    """Return the address of a server for the pages on this machine."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class Visit:
    """A page in its own tab, with its error messages and its requests to other hosts."""

    def __init__(self, browser, address, page, viewport=WIDE, **options):
        self.context = browser.new_context(viewport=viewport, color_scheme="light", **options)
        self.context.set_default_timeout(60_000)  # on a busy machine, the theme's scripts take long
        self.tab = self.context.new_page()
        self.complaints = []
        self.tab.on("console", lambda each: self.complaints.append(each.text) if each.type == "error" else None)
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.route(re.compile(f"^(?!{re.escape(address)}|data:|blob:)"), self._refuse)
        self.tab.goto(f"{address}/{page}.html")

    def _refuse(self, route):
        self.complaints.append(f"asked for {route.request.url}")
        route.abort()

    def uncover(self):
        """Show all covered results, draw the charts near them, and open what is folded."""
        self.tab.evaluate("document.querySelectorAll('.unloop-cover button').forEach(button => button.click())")
        self.tab.evaluate("document.querySelectorAll('main details').forEach(details => details.open = true)")
        for race in self.tab.locator(".unloop-race").all():
            race.scroll_into_view_if_needed()
            race.locator(".unloop-chart svg").wait_for()

    def leave_out_repetition(self):
        """Remove the table rows after the fifth, which have the same elements, so that axe ends soon."""
        self.tab.evaluate("document.querySelectorAll('tr:nth-child(n+6)').forEach(row => row.remove())")

    def use_theme(self, name):
        """Switch to the theme ``light`` or ``dark``."""
        self.tab.emulate_media(color_scheme=name)
        self.tab.wait_for_selector(f"html[data-theme={name}]", state="attached")
        self.tab.wait_for_function(NOTHING_MOVES)  # A button changes its color gradually.

    def violations(self, options=None):
        """Return rule and element of each serious problem that axe-core finds."""
        options = {"resultTypes": ["violations"], **(options or {})}  # A list of passed rules would take long.
        found = Axe().run(self.tab, options=options).response["violations"]
        return [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()


@pytest.mark.parametrize("page", PAGES)
def test_page_is_accessible_and_asks_no_other_host(browser, address, page):
    with Visit(browser, address, page, viewport=NARROW) as visit:  # a phone's page first
        visit.uncover()
        assert visit.tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        visit.use_theme("dark")
        visit.use_theme("light")
        visit.leave_out_repetition()
        assert visit.complaints == []  # Checked before axe runs, because axe loads a style sheet from a wrong address.
        narrow = visit.violations({"rules": NO_COLORS}) if page in PAGE_OF_EACH_KIND else []
        visit.tab.set_viewport_size(WIDE)
        wide = visit.violations()
        visit.use_theme("dark")
        dark = visit.violations({"runOnly": ["color-contrast"]}) if page in PAGE_OF_EACH_KIND else []
    assert narrow + wide + dark == []


def test_prediction_is_asked_before_the_race_is_uncovered(browser, address):
    with Visit(browser, address, LESSON) as visit:
        form = visit.tab.get_by_role("form", name="Prediction where", exact=True)
        race = visit.tab.locator(".unloop-race").first
        assert not race.is_visible()
        form.get_by_role("button", name="Lock in my guess").click()
        form.get_by_text("Move the slider first.").wait_for()
        form.get_by_role("slider").press("ArrowRight")
        form.get_by_role("button", name="Lock in my guess").press("Enter")
        form.get_by_text("Your guess: 110×. The measurement below: ").wait_for()
        race.locator(".unloop-chart svg").wait_for()
        assert race.is_visible()
        assert visit.tab.evaluate("Object.keys(localStorage).concat(document.cookie).join().includes('where')") is False


def test_stored_race_answers_to_the_reader(browser, address):
    with Visit(browser, address, LESSON) as visit:
        visit.uncover()
        race = visit.tab.locator(".unloop-race").first
        assert not race.locator("img").is_visible()
        race.get_by_text("Second machine").last.wait_for()
        race.locator(".unloop-chart .mark-symbol path").last.hover()
        tooltip = visit.tab.locator("#vg-tooltip-element")
        tooltip.get_by_text("median").wait_for()
        assert "half of the calls took" in tooltip.inner_text()

        lines = race.locator(".unloop-chart .mark-line path")
        with_limit = lines.count()
        race.get_by_label("Physical limit").uncheck()
        expect(lines).to_have_count(with_limit - 1, timeout=60_000)

        race.locator("select").select_option(index=1)
        race.locator(".unloop-sign", has_text="AMD EPYC").wait_for()
        race.locator(".unloop-chart svg").wait_for()
        assert "AMD EPYC" in race.get_by_role("img").get_attribute("aria-label")
        assert visit.complaints == []


def test_without_javascript_the_pictures_stay(browser, address):
    with Visit(browser, address, LESSON, java_script_enabled=False) as visit:
        pictures = visit.tab.locator(".cell_output img")
        alternatives = [each.get_attribute("alt") for each in pictures.all()]
        assert alternatives and all(alternatives)
        assert any(each.startswith("Chart of the race where: time per call") for each in alternatives)
        assert visit.tab.locator(".unloop-race img").first.is_visible()
        assert visit.tab.get_by_text("256 pixels: how many times as fast").first.is_visible()


def test_search_finds_a_lesson(browser, address):
    with Visit(browser, address, "search") as visit:
        visit.tab.goto(f"{address}/search.html?q=broadcasting")
        visit.tab.locator("#search-results li", has_text="Element loops").first.wait_for()
        assert visit.complaints == []


def test_site_is_small_and_publishes_no_notebook(site):
    files = [path for path in site.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 15 * MB
    assert [path.name for path in files if path.suffix == ".ipynb"] == []


def test_pages_show_no_missing_widget_and_no_open_set_up(site):
    lessons = sorted((site / "notebooks").glob("*.html"))
    assert len(lessons) == len(list((ROOT / "notebooks").glob("*.ipynb")))
    for path in lessons:
        text = path.read_text(encoding="utf-8")
        for words in ("widget-view", "Error displaying widget", "model_id", "kernel required", "made no guess"):
            assert words not in text, f"{path.name} shows {words!r}"
        (setup,) = re.findall(
            r"<details[^>]*>(?:(?!</details>).)*Setup: this cell installs the course", text, re.DOTALL
        )
        assert "<details open" not in setup


def test_exercises_show_no_solution(site):
    for path in (site / "exercises").glob("*.html"):
        assert "NotImplementedError" in path.read_text(encoding="utf-8"), path.name


def test_broken_link_fails_the_build(course, tmp_path, capfd):
    small = tmp_path / "course"
    for folder in ("notebooks", "recordings", "site/measuring"):
        (small / folder).mkdir(parents=True)
    for file in ("pyproject.toml", "site/vega.tar.xz", "site/conf.py"):
        shutil.copy(course / file, small / file)
    shutil.copytree(course / "site" / "_static", small / "site" / "_static")
    (small / "site" / "measuring" / "index.md").write_text("# Measuring\n", encoding="utf-8")
    (small / "site" / "index.md").write_text("# Course\n\n[gone](notebooks/99_gone.ipynb)\n", encoding="utf-8")
    with pytest.raises(SiteIncomplete):
        build(small, tmp_path / "build")
    (problem,) = (line for line in capfd.readouterr().err.splitlines() if "WARNING" in line)
    assert "99_gone" in problem
