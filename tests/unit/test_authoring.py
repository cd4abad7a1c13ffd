"""Authors' tools: the canonical form of notebooks, their execution in a fresh kernel, and the setup cell."""

import base64
import io
import json
import subprocess
import sys

import ipywidgets as widgets
import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_output
from PIL import Image
from sample_notebooks import ADDRESS, NO_OWNER, lesson, save_notebook

from course_utils.authoring import canonical_form, execute, setup_cell
from course_utils.authoring.stored_pictures import compress_pictures
from course_utils.limits import saved_peaks
from course_utils.ui import figure_export
from course_utils.ui.page_output import publish


def test_canonical_form_is_stable():
    once = canonical_form.text(lesson(new_code_cell("1", id="one"), minutes=5))
    assert canonical_form.text(nbformat.reads(once, as_version=4)) == once
    assert once.endswith("}\n")


def test_png_is_stored_instead_of_svg():
    both = {"image/png": "iVBORw0KGgo=", "text/html": "<svg><text>milliseconds</text></svg>", "text/plain": "A line."}
    cell = new_code_cell("1", id="one", outputs=[new_output("display_data", data=both)])
    tidy = nbformat.reads(canonical_form.text(lesson(cell)), as_version=4)
    assert set(tidy.cells[-1].outputs[0].data) == {"image/png", "text/plain"}


def test_a_stored_picture_has_fewer_bytes_and_the_same_pixels():
    figure = Figure()
    figure.subplots().plot([1, 3, 2], label="a line")
    png = figure_export.to_png(figure)
    output = new_output("display_data", data={"image/png": base64.b64encode(png).decode()})
    compress_pictures(nbformat.v4.new_notebook(cells=[new_code_cell("figure", outputs=[output])]))
    stored = base64.b64decode(output.data["image/png"])
    assert len(stored) < len(png)
    before, after = (Image.open(io.BytesIO(each)).convert("RGBA") for each in (png, stored))
    assert before.tobytes() == after.tobytes()


def test_folded_cell_is_folded_on_colab():
    folded = new_code_cell("1", id="one", metadata={"jupyter": {"source_hidden": True}})
    tidy = nbformat.reads(canonical_form.text(lesson(folded)), as_version=4)
    assert [cell.metadata.get("cellView") for cell in tidy.cells] == [None, None, "form"]


def test_text_is_stored_instead_of_widget():
    shell, published = InteractiveShell.instance(), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shell.display_pub, "publish", lambda data, metadata=None, **_: published.append(data))
        publish(widgets.Label("live"), "In words.")
    outputs = [new_output("display_data", data=data) for data in published]
    tidy = nbformat.reads(canonical_form.text(lesson(new_code_cell("1", id="one", outputs=outputs))), as_version=4)
    assert [output.data for output in tidy.cells[-1].outputs] == [{"text/plain": "In words."}]


def test_canonical_form_drops_what_differs_between_runs():
    original = new_code_cell(
        "print(1)",
        id="one",
        execution_count=17,
        metadata={
            "execution": {"iopub.status.busy": "now"},
            "collapsed": True,
            "tags": ["raises-exception"],
            "nbgrader": {"points": 1},
        },
        outputs=[
            new_output("stream", name="stdout", text="a"),
            new_output("stream", name="stdout", text="b\n"),
            new_output("display_data", data={"application/vnd.jupyter.widget-view+json": {"model_id": "7"}}),
            new_output("execute_result", execution_count=17, data={"text/plain": "1"}),
        ],
    )
    notebook = lesson(original, minutes=5)
    notebook.metadata.widgets = {"state": {}}
    notebook.metadata.language_info = {"name": "python", "version": "3.11.7"}
    tidy = nbformat.reads(canonical_form.text(notebook), as_version=4)
    assert set(tidy.metadata) == {"kernelspec", "language_info", "unloop"}
    assert tidy.metadata.language_info == {"name": "python"}
    cell = tidy.cells[2]
    assert cell.metadata == {"tags": ["raises-exception"], "nbgrader": {"points": 1}}
    assert [output.output_type for output in cell.outputs] == ["stream", "execute_result"]
    assert cell.outputs[0].text == "ab\n"
    assert (cell.execution_count, cell.outputs[1].execution_count) == (2, 2)
    assert original.execution_count == 17, "the argument does not change"


def test_notebook_without_run_has_no_execution_counts():
    tidy = nbformat.reads(canonical_form.text(lesson(new_code_cell("1", id="one"))), as_version=4)
    assert [cell.execution_count for cell in tidy.cells if cell.cell_type == "code"] == [None, None]


@pytest.mark.parametrize(
    ("printed", "stored"),
    [
        ("File ~/envs/a/lib/python3.11/site-packages/torch/nn.py:3", "File site-packages/torch/nn.py:3"),
        ("File /somewhere/lib/python3.12/json/decoder.py:3", "File python3.12/json/decoder.py:3"),
        (r"File C:\envs\a\Lib\site-packages\torch\nn.py:3", r"File site-packages/torch\nn.py:3"),
        ("3 / 4 and a/b stay", "3 / 4 and a/b stay"),
    ],
)
def test_canonical_form_shortens_paths_of_libraries(printed, stored):
    error = new_output("error", ename="E", evalue="e", traceback=[printed])
    tidy = nbformat.reads(canonical_form.text(lesson(new_code_cell("1", id="one", outputs=[error]))), as_version=4)
    assert tidy.cells[2].outputs[0].traceback == [stored]


def test_violations_name_id_stderr_and_machine_path(tmp_path):
    folder = r"C:\Users\ada\course"
    outputs = [
        new_output("stream", name="stderr", text="a warning"),
        new_output("stream", name="stdout", text=f"read {folder}"),
    ]
    path = save_notebook(lesson(new_code_cell("1", id="0a1b2c3d", outputs=outputs)), tmp_path / "03_loops.ipynb")
    cell_id, stderr, machine = canonical_form.violations(path)
    assert "'0a1b2c3d'" in cell_id
    assert "'a warning'" in stderr
    assert repr(folder) in machine
    path.write_text(json.dumps(json.loads(path.read_text())))
    form, *others = canonical_form.violations(path)
    assert "not in canonical form" in form
    assert len(others) == 3


@pytest.fixture
def known_limits(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(execute.limits, "load_peaks", lambda: "known")
    saved_peaks.peaks_folder().mkdir(parents=True)
    (saved_peaks.peaks_folder() / "machine.json").write_text("{}")


@pytest.mark.slow
def test_run_stores_outputs_as_a_newcomer_with_limits_sees_them(tmp_path, known_limits):
    code = (
        "import os\nfrom pathlib import Path\nsorted(each.name for each in Path(os.environ['UNLOOP_HOME']).rglob('*'))"
    )
    path = save_notebook(lesson(new_code_cell(code, id="home")), tmp_path / "notebooks" / "03_loops.ipynb")
    nb = nbformat.read(path, as_version=4)
    nb.cells[1].source = "pass"
    save_notebook(nb, path)
    execute.run([path])
    assert list(canonical_form.violations(path)) == []
    (result,) = nbformat.read(path, as_version=4).cells[2].outputs
    assert result.data["text/plain"] == "['limits', 'machine.json']"


@pytest.mark.slow
def test_failing_notebook_is_named_and_unchanged(tmp_path, known_limits):
    path = save_notebook(lesson(new_code_cell("1 / 0", id="fails")), tmp_path / "03_loops.ipynb")
    before = path.read_text()
    with pytest.raises(execute.NotebookFailed, match="03_loops.ipynb stopped at"):
        execute.run([path])
    assert path.read_text() == before


def run_set_up(address, prelude=""):
    script = f"import sys\n{prelude}\n{setup_cell.source(address)}\nprint('ready')"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


HIDE_THE_COURSE = "import importlib.util; importlib.util.find_spec = lambda name: None"
ON_COLAB = "import types; sys.modules['google.colab'] = types.ModuleType('google.colab')"
SHOW_COMMANDS = """
import subprocess
def show(command, capture_output):
    print(*command[1:])
    return subprocess.CompletedProcess(command, 0)
subprocess.run = show
"""


@pytest.mark.slow
def test_set_up_cell_does_nothing_if_the_course_is_installed():
    done = run_set_up(ADDRESS, f"{ON_COLAB}\n{SHOW_COMMANDS}")
    assert (done.stdout, done.stderr) == ("ready\n", "")


@pytest.mark.slow
def test_set_up_cell_installs_the_course_on_colab():
    done = run_set_up(ADDRESS, f"{HIDE_THE_COURSE}\n{ON_COLAB}\n{SHOW_COMMANDS}")
    assert done.stdout == f"-m pip install --quiet git+{ADDRESS}\nready\n"


@pytest.mark.slow
@pytest.mark.parametrize(("address", "prelude"), [(ADDRESS, ""), (NO_OWNER, ""), (NO_OWNER, ON_COLAB)])
def test_set_up_cell_installs_nothing_elsewhere_or_without_an_owner(address, prelude):
    done = run_set_up(address, f"{HIDE_THE_COURSE}\n{prelude}\n{SHOW_COMMANDS}")
    assert done.stdout == ""
    assert "CourseMissing: The course is not installed" in done.stderr


@pytest.mark.slow
def test_failed_installation_is_reported_without_advice_from_colab(tmp_path):
    source = setup_cell.source(f"file://{tmp_path}/no-such-course")
    script = (
        f"import sys, types\n{HIDE_THE_COURSE}\n{ON_COLAB}\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        f"print(InteractiveShell.instance().run_cell({source!r}).error_in_exec.__class__.__mro__)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    sentence, classes = done.stdout.strip().splitlines()
    assert sentence.endswith("no-such-course failed. Run this cell again in a minute.")
    assert "CourseMissing" in classes and "ImportError" not in classes
    assert done.stderr == ""
