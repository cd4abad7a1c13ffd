"""A saved page that is opened again without its kernel."""

import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

RACE = """import time
from course_utils import predict, race

def pause(seconds):
    return lambda n: time.sleep(seconds)

predict("pauses", "How many times faster?")
race("pauses", {"slow": pause(0.004), "fast": pause(0.001)}, lambda n, device: (n,), [1, 2])"""
# A stranger's page is one that the server does not trust; Notebook 7 treats it as JupyterLab does.
PAGES = [("in_lab", "own"), ("in_lab", "strange"), ("in_notebook", "own")]


@pytest.fixture(scope="module")
def saved(lab):
    """Two notebooks that were saved without the state of their widgets: the learner's own, and a stranger's."""
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


@pytest.mark.parametrize(("page", "name"), PAGES)
def test_saved_page_shows_its_charts_and_no_errors(browser, saved, page, name):
    tab = browser.new_page(viewport={"width": 1280, "height": 1000})
    tab.goto(getattr(saved, page)(f"{name}.ipynb"))
    chart = tab.locator(".jp-OutputArea img")
    chart.wait_for()
    if name == "own":  # the page does not look for a stranger's widgets
        tab.get_by_text("Error displaying widget").first.wait_for(state="attached")
    assert tab.get_by_text("Error displaying widget").filter(visible=True).count() == 0
    assert chart.evaluate("image => image.naturalWidth") > 1000
    assert "time per call against size for slow, fast" in chart.get_attribute("alt")
    assert tab.get_by_text("Your guess: How many times faster?").is_visible()
    tab.close()
