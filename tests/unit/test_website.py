"""How notebooks become pages of the site, and what the pages that list them hold."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("myst_nb")

from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from sample_notebooks import ADDRESS, lesson, save_notebook

from course_utils.authoring import badges, lesson_metadata
from course_utils.authoring.website import listings, notebook_pages, prediction_form, race_data
from course_utils.authoring.website.page_links import PageLinks
from course_utils.authoring.website.race_renderer import RaceRenderer
from course_utils.races import Point, RaceResult, recordings
from course_utils.timing import Ratio
from course_utils.ui.predict import make_question

RESULT = RaceResult(
    race="demo",
    baseline="loop",
    contenders=("loop", "fast"),
    sizes=(1, 10),
    points=(
        Point(1, "loop", "measured", 2e-6, 1.9e-6, 2.1e-6, Ratio(1.0, 1.0, 1.0)),
        Point(1, "fast", "measured", 1e-6, 0.9e-6, 1.1e-6, Ratio(2.0, 1.9, 2.1), "faster"),
        Point(10, "loop", "failed", note="It failed."),
        Point(10, "fast", "extrapolated", 1e-5),
    ),
    device="cpu",
    machine="A machine",
    threads=1,
    versions={"torch": "2.0"},
    date="2026-01-01",
)


def text_output(text, **data):
    return new_output("display_data", data={"text/plain": text, **data})


def prepared_cells(*cells, root=None, pages=()):
    """Return the cells of a lesson as the site shows them, without title and setup."""
    shown, rules = notebook_pages.page(lesson(*cells), "notebooks", PageLinks(root, set(pages), ADDRESS))
    return shown.cells[2:], rules


def tags(cell):
    return cell.metadata.get("tags", [])


def test_links_to_other_files_lead_to_the_repository(tmp_path):
    (tmp_path / "CONTRIBUTING.md").touch()
    source = "[a](04_more.ipynb) [b](../CONTRIBUTING.md) [c](gone.ipynb) [d](https://example.org) [e](#here)"
    (cell,), _ = prepared_cells(new_markdown_cell(source, id="links"), root=tmp_path, pages=["notebooks/04_more.ipynb"])
    repository = f"{ADDRESS}/blob/main/CONTRIBUTING.md"
    assert cell.source == source.replace("../CONTRIBUTING.md", repository)


def test_title_gets_buttons():
    notebook = lesson()
    path = Path("notebooks/03_loops.ipynb")
    badges.update_badges(notebook, path, ADDRESS)
    shown, _ = notebook_pages.page(notebook, "notebooks", PageLinks(None, set(), ADDRESS))
    assert f"[Open in Colab]({badges.colab_url(path, ADDRESS)}){{.unloop-launch}}" in shown.cells[0].source


def test_folded_cell_stays_folded_and_unwritten_answer_says_nothing():
    folded = new_code_cell("1", id="extra", metadata={"jupyter": {"source_hidden": True}})
    unwritten = "half is not written yet: replace the ... and run the cell again.\n"
    practice = new_code_cell("2", id="turn-half", outputs=[new_output("stream", name="stdout", text=unwritten)])
    (extra, turn), _ = prepared_cells(folded, practice)
    assert tags(extra) == ["hide-input"]
    assert turn.outputs == []


def test_styles_of_outputs_are_collected():
    html = "<style>.unloop{color:red}</style><div class=unloop>1</div>"
    cells = [new_code_cell("1", id=name, outputs=[text_output("1", **{"text/html": html})]) for name in ("a", "b")]
    shown, rules = prepared_cells(*cells)
    assert rules == {".unloop{color:red}"}
    assert [cell.outputs[0].data["text/html"] for cell in shown] == ["<div class=unloop>1</div>"] * 2


def test_results_wait_for_the_prediction_that_they_judge():
    card = "<p>The answer: 3. (You made no guess: lock one in above, and run this cell again.)</p>"
    shown, _ = prepared_cells(
        new_code_cell(
            'predict("count", "How many?", low=1, high=9, unit="calls")',
            id="predict-count",
            outputs=[text_output("Your guess: How many?")],
        ),
        new_code_cell("print(1)", id="between", outputs=[new_output("stream", name="stdout", text="1\n")]),
        new_code_cell('race("other", {})', id="race-other", outputs=[text_output("Race other")]),
        new_code_cell(
            'reveal("count", 3)', id="reveal-count", outputs=[text_output("Revealed", **{"text/html": card})]
        ),
        new_code_cell('race("late", {})', id="race-late", outputs=[text_output("Race late")]),
    )
    asks, between, other, answer, late = shown
    assert tags(asks) == ["remove-input"]
    assert [output.data["text/plain"] for output in asks.outputs] == ["How many?"]
    assert "data-question" in asks.outputs[0].data["text/html"]
    assert tags(between) == tags(late) == []
    assert tags(other) == tags(answer) == ["waits-for-count"]
    assert answer.outputs[0].data["text/html"] == "<p>The answer: 3.</p>"


@pytest.mark.parametrize(
    "source",
    [
        "%%writefile train.py\nx = 1",
        'predict("lonely", "How many?")',
        'choices = ("a", "b")\npredict("c", "?", choices=choices)',
    ],
)
def test_magic_and_prediction_without_judge_or_with_computed_choices_stay_as_text(source):
    judge = new_code_cell('reveal("c", "a")', id="reveal", outputs=[text_output("Revealed")])
    (asks, judge), _ = prepared_cells(new_code_cell(source, id="ask", outputs=[text_output("Your guess: ?")]), judge)
    assert [output.data["text/plain"] for output in asks.outputs] == ["Your guess: ?"]
    assert tags(judge) == []


def test_race_answers_the_prediction_of_its_name():
    output = text_output("Race demo")
    output.metadata["unloop"] = {"race": recordings.compact_json(RESULT)}
    ask = new_code_cell('predict("demo", at=1)', id="predict-demo", outputs=[text_output("Your guess: …")])
    (asks, race), _ = prepared_cells(ask, new_code_cell('race("demo", {})', id="race-demo", outputs=[output]))
    assert "&quot;answer&quot;: &quot;2.00×&quot;" in asks.outputs[-1].data["text/html"]
    assert tags(race) == ["waits-for-demo"]


def test_race_data_say_what_the_chart_shows():
    script = race_data.script(RESULT, [RESULT])
    data = json.loads(script.removeprefix('<script type="application/json">').removesuffix("</script>"))
    (result,) = data["results"]  # a recording that is the shown result is not offered twice
    assert result["label"] == "A machine · cpu"
    _, fast, failed, extrapolated = result["points"]
    assert fast["words"] == "1.00 µs"
    assert fast["details"] == "half of the calls took 900 ns to 1.10 µs; 2.00× (1.90–2.10) as fast as 'loop'"
    assert "s" not in failed and failed["words"] == "failed"
    assert extrapolated["details"] == "extrapolated, not measured"


def test_picture_of_a_race_with_a_memory_chart_stays():
    race = recordings.compact_json(replace(RESULT, memory=1))
    data = SimpleNamespace(mime_type="image/png", output_metadata={"image/png": {"alt": "a"}, "unloop": {"race": race}})
    renderer = SimpleNamespace(render_image=lambda _data: [{}])
    assert RaceRenderer.handle_mime(renderer, data, inline=False) == [{"alt": "a"}]


def test_lessons_and_claims_are_listed_from_the_notebooks(tmp_path):
    path = tmp_path / "notebooks" / "03_loops.ipynb"
    notebook = lesson(
        new_markdown_cell('### "`where` is | fast"', id="claim"),
        new_markdown_cell("**Verdict: right, with care.** It is.", id="verdict"),
        minutes=45,
        slow="a loop",
        fast="no loop",
    )
    notebook.cells[
        0
    ].source += "\n\nWhen you are done, you can:\n\n- write `where`,\n  without a loop;\n- count.\n\nMore."
    save_notebook(notebook, path)
    found = list(lesson_metadata.lessons(tmp_path))
    page = listings.lessons_page(found)
    assert "## [03 · Loops](notebooks/03_loops.ipynb)\n\n45 minutes · slow: a loop · fast: no loop" in page
    assert "You can then:\n\n- write `where`,\n  without a loop;\n- count." in page
    assert "notebooks/03_loops\n```" in page
    assert (
        '| "`where` is \\| fast" | right, with care | [03 · Loops](notebooks/03_loops.ipynb#'
        in listings.claims_page(found)
    )


def test_form_lists_the_choices_for_pages_without_javascript():
    page = prediction_form.form(make_question("c", "Which `one`?", choices=("a < b", "the same")), "")
    assert "<code>one</code>" in page and "<li>a &lt; b</li>" in page
