"""The races of a lesson run without Jupyter, by executing its cells."""

import json
import re

import pytest

from course_utils.races import lesson_runner
from course_utils.races.markdown_table import markdown_table

RACE = """
from course_utils import predict, race
predict("doubling")
race("doubling", {"loop": lambda x: [v * 2 for v in x], "whole": lambda x: list(x) and [v + v for v in x]},
     lambda size, device: (list(range(size)),), [4, 64])
"""


def lesson(folder, *cells):
    path = folder / "99_fixture.ipynb"
    code = [
        {"cell_type": "code", "id": f"cell-{number}", "source": source, "metadata": {"tags": tags}}
        for number, (source, *tags) in enumerate(cells)
    ]
    text = {"cell_type": "markdown", "id": "text", "source": "race(", "metadata": {}}
    path.write_text(json.dumps({"cells": [text, *code], "metadata": {"unloop": {"framework": "none"}}}))
    return path


@pytest.mark.slow
def test_race_at_the_end_of_a_cell_is_run(tmp_path):
    (result,) = lesson_runner.run_lesson(lesson(tmp_path, (RACE,), ("print('not a race')",)), "cpu", budget_s=0.2)
    assert result.race == "doubling"
    assert result.headline().contender == "whole"


@pytest.mark.slow
def test_lesson_may_use_the_slow_loop_of_a_task(tmp_path):
    uses_task = lesson(tmp_path, ("from course_utils import task\nassert callable(task('celsius').slow)",), (RACE,))
    assert [each.race for each in lesson_runner.run_lesson(uses_task, "cpu", budget_s=0.1)] == ["doubling"]


@pytest.mark.slow
def test_cell_may_raise_only_if_its_tag_allows_it(tmp_path):
    allowed = lesson(tmp_path, ("1 / 0", "raises-exception"), (RACE,))
    assert [each.race for each in lesson_runner.run_lesson(allowed, "cpu", budget_s=0.1)] == ["doubling"]
    with pytest.raises(lesson_runner.LessonFailed, match="ZeroDivisionError"):
        list(lesson_runner.run_lesson(lesson(tmp_path, ("1 / 0",), (RACE,)), "cpu", budget_s=0.1))


@pytest.mark.slow
def test_source_of_a_cell_can_be_read_again(tmp_path):
    reads_itself = "import inspect\ndef double(x):\n    return 2 * x\nassert '2 * x' in inspect.getsource(double)"
    assert len(list(lesson_runner.run_lesson(lesson(tmp_path, (reads_itself,), (RACE,)), "cpu", budget_s=0.1))) == 1


@pytest.mark.slow
def test_lesson_with_much_output_does_not_block(tmp_path):
    chatty = "import sys\nprint('x' * 200_000)\nprint('x' * 200_000, file=sys.stderr)"
    assert len(list(lesson_runner.run_lesson(lesson(tmp_path, (chatty,), (RACE,)), "cpu", budget_s=0.1))) == 1


@pytest.mark.slow
def test_missing_device_is_reported(tmp_path):
    with pytest.raises(lesson_runner.LessonFailed, match="no device 'cuda:5'"):
        list(lesson_runner.run_lesson(lesson(tmp_path, (RACE,)), "cuda:5", budget_s=0.1))


@pytest.mark.slow
def test_markdown_table_shows_ratios_and_signatures(tmp_path):
    results = list(lesson_runner.run_lesson(lesson(tmp_path, (RACE,)), "cpu", budget_s=0.2))
    table = markdown_table(results)
    assert results[0].signature() in table
    assert re.search(r"\| doubling \| \S+ \| 64 \| loop: ", table)
