"""Races are recorded from lessons without Jupyter, by executing their cells."""

import json
import re

import pytest

from course_utils.races import lesson_runner, recordings

RACE = """
from course_utils import predict, race
predict("doubling")
race("doubling", {"loop": lambda x: [v * 2 for v in x], "whole": lambda x: list(x) and [v + v for v in x]},
     lambda size, device: (list(range(size)),), [4, 64])
"""


def lesson(folder, *cells):
    path = folder / "99_fixture.ipynb"
    told = [
        {"cell_type": "code", "id": f"cell-{number}", "source": source, "metadata": {"tags": tags}}
        for number, (source, *tags) in enumerate(cells)
    ]
    text = {"cell_type": "markdown", "id": "text", "source": "race(", "metadata": {}}
    path.write_text(json.dumps({"cells": [text, *told], "metadata": {"unloop": {"framework": "none"}}}))
    return path


@pytest.mark.process
def test_the_race_at_the_end_of_a_cell_is_run(tmp_path):
    (result,) = lesson_runner.record(lesson(tmp_path, (RACE,), ("print('not a race')",)), "cpu", budget_s=0.2)
    assert result.race == "doubling"
    assert result.headline().contender == "whole"


@pytest.mark.process
def test_a_cell_may_raise_only_when_it_says_so(tmp_path):
    allowed = lesson(tmp_path, ("1 / 0", "raises-exception"), (RACE,))
    assert [each.race for each in lesson_runner.record(allowed, "cpu", budget_s=0.1)] == ["doubling"]
    with pytest.raises(lesson_runner.LessonFailed, match="ZeroDivisionError"):
        list(lesson_runner.record(lesson(tmp_path, ("1 / 0",), (RACE,)), "cpu", budget_s=0.1))


@pytest.mark.process
def test_a_cells_source_can_be_read_again_as_autograph_does(tmp_path):
    reads_itself = "import inspect\ndef doubled(x):\n    return 2 * x\nassert '2 * x' in inspect.getsource(doubled)"
    assert len(list(lesson_runner.record(lesson(tmp_path, (reads_itself,), (RACE,)), "cpu", budget_s=0.1))) == 1


@pytest.mark.process
def test_a_lesson_that_says_much_does_not_hold_its_races_up(tmp_path):
    chatty = "import sys\nprint('x' * 200_000)\nprint('x' * 200_000, file=sys.stderr)"
    assert len(list(lesson_runner.record(lesson(tmp_path, (chatty,), (RACE,)), "cpu", budget_s=0.1))) == 1


@pytest.mark.process
def test_a_missing_device_is_told(tmp_path):
    with pytest.raises(lesson_runner.LessonFailed, match="no device 'cuda:5'"):
        list(lesson_runner.record(lesson(tmp_path, (RACE,)), "cuda:5", budget_s=0.1))


@pytest.mark.process
def test_the_table_shows_ratios_and_is_signed(tmp_path):
    results = list(lesson_runner.record(lesson(tmp_path, (RACE,)), "cpu", budget_s=0.2))
    table = recordings.table(results)
    assert results[0].signature() in table
    assert re.search(r"\| doubling \| \S+ \| 64 \| loop: ", table)
