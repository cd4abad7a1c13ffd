"""A right answer's time appears next to the slow loop's, the lesson's versions' and the machine's limit."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from course_utils import limits, tasks
from course_utils.frameworks import tensor_trees
from course_utils.judging import Verdict
from course_utils.judging.difference import difference, tolerance_of
from course_utils.judging.oracle import run_slow_loop
from course_utils.judging.return_or_written_arguments import judged_function
from course_utils.judging.speed_position import SpeedPosition, measure_speed_position
from course_utils.limits import Bound, Cost

torch = pytest.importorskip("torch")

from sample_limits import PEAKS
from sample_task import ROW_SUMS


def with_columns(x):
    return sum(x[:, column] for column in range(x.shape[1]))


def failing(x):
    raise ValueError("of no use")


PLACED = replace(
    ROW_SUMS,
    cost=lambda size: Cost(reads=4 * size * (size + 1), writes=4 * size),
    ways={"column loop": with_columns, "broken": failing},
)


def right(x):
    return x.sum(1)


@pytest.fixture(autouse=True)
def known_limits(monkeypatch):
    monkeypatch.setattr(limits, "load_peaks", lambda: PEAKS)
    monkeypatch.setattr("course_utils.judging.speed_position._BUDGET_S", 0.4)  # the budget that learners have


@pytest.fixture(scope="module")
def speed_position():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "load_peaks", lambda: PEAKS)
        patch.setattr("course_utils.judging.speed_position._BUDGET_S", 0.4)
        return measure_speed_position(PLACED, right)


def test_speed_position_lists_the_slow_loop_and_the_versions_that_run(speed_position):
    assert list(speed_position.others) == ["column loop", "slow loop"]
    assert speed_position.low <= speed_position.seconds <= speed_position.high
    assert speed_position.seconds < speed_position.others["column loop"] < speed_position.others["slow loop"]


def test_share_is_of_the_limit_at_the_races_size(speed_position):
    limit = limits.bound(Cost(reads=4 * 40 * 41, writes=160), PEAKS, "torch")
    assert speed_position.limit == limit and speed_position.share == limit.seconds / speed_position.seconds


def test_speed_position_survives_json(speed_position):
    for each in (speed_position, replace(speed_position, limit=None), None):
        verdict = replace(Verdict.for_task(PLACED), speed_position=each)
        assert Verdict.from_json(verdict.to_json()) == verdict
    data = json.loads(replace(Verdict.for_task(PLACED), speed_position=speed_position).to_json())
    assert data["speed_position"]["limit"]["binding"] == "launch cost"


@pytest.mark.slow
def test_speed_position_without_known_limits_has_no_share(monkeypatch):
    monkeypatch.setattr(limits, "load_peaks", lambda: None)
    speed_position = measure_speed_position(replace(PLACED, ways={}), right)
    assert speed_position.limit is None and speed_position.share is None and speed_position.measurable
    assert not measure_speed_position(replace(PLACED, cost=None), right).measurable


def test_task_without_a_race_has_no_speed_position():
    assert measure_speed_position(ROW_SUMS, failing) is None
    assert measure_speed_position(PLACED, failing) is None


def test_a_share_is_the_part_of_the_limit_that_is_reached():
    assert SpeedPosition(2e-6, 2e-6, 2e-6, limit=Bound(1e-6, "launch cost")).share == 0.5


@cache
def at_race_size(task_id):
    """Return a task, inputs of its race, and the slow loop's result on them."""
    try:
        task = tasks.load(task_id)
    except tasks.FrameworkMissing as missing:
        pytest.skip(str(missing))
    inputs = task.inputs(task.race_size, np.random.default_rng(1))
    return task, inputs, run_slow_loop(task, inputs) if task.cost or task.ways else None


def bytes_in(tree):
    return sum(tensor_trees.to_numpy(each).nbytes for each in tensor_trees.tensors(tree))


# Compilers start processes, and the slow loops of all tasks together take too long for `make check`.
@pytest.mark.slow
@pytest.mark.parametrize("task_id", tasks.names())
def test_versions_of_a_task_agree_with_its_slow_loop(task_id):
    task, inputs, wanted = at_race_size(task_id)
    for name, version in task.ways.items():
        given = judged_function(task, version)(*tensor_trees.copy_inputs(inputs))
        assert difference(given, wanted, tolerance_of(task)) is None, name


@pytest.mark.slow
@pytest.mark.parametrize("task_id", tasks.names())
def test_cost_counts_every_byte_once(task_id):
    task, inputs, wanted = at_race_size(task_id)
    if task.cost is not None:
        assert 0 < task.cost(task.race_size).working_set <= bytes_in(inputs) + bytes_in(wanted.native)
