"""The folders are the index; an author's mistake raises one sentence; listing tasks imports no framework."""

import ast
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import temporary_tasks

from course_utils import tasks
from course_utils.core.errors import CourseError
from course_utils.counting import Counts
from course_utils.frameworks import tensor_trees
from course_utils.limits import Cost
from course_utils.tasks import Task, TaskInvalid
from course_utils.tasks.at_most import at_most
from course_utils.tasks.call_limit import PartialCounts

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "course_utils" / "tasks"

EVERY_NAME = (*tasks.names(), *tasks.names("practice"))
SAMPLE = Task(id="sample", title="", points=1, level=1, slow=lambda x: x, inputs=lambda size, generator: (size,))
SOURCE = """
from course_utils.tasks import Task
TASK = Task(
    id="{}",
    title="",
    points=1,
    level=1,
    slow=abs,
    inputs=lambda size, generator: (size,),
)
"""


def load_or_skip(task_id):
    try:
        return tasks.load(task_id)
    except tasks.FrameworkMissing as missing:
        pytest.skip(str(missing))


def notebooks_of(lesson):
    """Return the notebook of a lesson, and the same lesson in the other framework if there is one."""
    number, topic = lesson.split("_", 1)
    return sorted(ROOT.glob(f"notebooks/{lesson}.ipynb")) + sorted(ROOT.glob(f"notebooks/{number}b_{topic}_*.ipynb"))


@pytest.mark.parametrize("task_id", EVERY_NAME)
def test_every_task_loads_by_its_name_and_names_its_worst_inputs(task_id):
    assert load_or_skip(task_id).id == task_id
    assert load_or_skip(task_id).level == tasks.level_of(task_id)
    assert load_or_skip(task_id).worst, "or say why there are none"


# A limit of so many operations or more leaves room for the loops that its task needs: over blocks, rounds or parameters.
OPS_FOR_LOOPS = 100
# task → why some axis of its arguments may be short
SHORT_AXES = {
    "channels_last_conv": "only its model reads the three channels, and calling the model for each image exceeds the limit",
    "decay_block": "it unrolls four rows on purpose",
    "decode_runs": "a run is four numbers",
    "discounted_returns": "a loop over its columns doubles in each of them",
    "drop_small": "its card forbids loops over instances and images, not over rows of pixels",
    "encode_runs": "a loop over its 32 rows leaves 8 operations for everything else",
    "first_above": "a loop over its rows takes two operations for each",
    "foreground": "a size is two numbers",
    "halve_into": "it writes five states, one after the other",
    "instance_boxes": "its card forbids loops over instances and images, not over rows of pixels",
    "newton_sqrt": "a loop over its values takes six steps for each",
    "pairs_below": "a loop over its images takes four operations for each",
    "piece_ranges": "a loop over its pieces takes two operations for each",
    "polynomial": "it unrolls six coefficients on purpose",
    "positive_heads": "a loop over its heads takes two operations for each",
    "ratio_interval": "a loop over its rounds makes two views for each, and views are limited, too",
    "repair_the_loader": "a recording has three channels",
    "repair_the_slow_step": "only its model reads the five features",
    "rotate_each": "a point is two numbers",
    "scale_by": "its card forbids no loop over the three columns",
    "summed_distances": "a loop over its points takes two operations for each",
}


def test_only_existing_tasks_are_listed_with_short_axes():
    assert SHORT_AXES.keys() <= set(EVERY_NAME)


@pytest.mark.parametrize("task_id", [name for name in EVERY_NAME if name not in SHORT_AXES])
def test_a_loop_over_an_axis_exceeds_the_limit_on_operations(task_id):
    task = load_or_skip(task_id)
    limits = [limit.number for limit in task.limits if limit.kind == "ops"]
    if not limits or limits[0] >= OPS_FOR_LOOPS:
        return
    inputs = task.inputs(task.count_sizes[-1], np.random.default_rng(0))
    shapes = [tuple(value.shape) for value in inputs if tensor_trees.is_tensor(value)]
    short = [shape for shape in shapes if any(1 < length < limits[0] for length in shape)]
    assert not short, f"{limits[0]} operations suffice for a loop over an axis; let it grow with the size"


@pytest.mark.parametrize("task_id", EVERY_NAME)
def test_the_file_of_a_task_imports_its_framework(task_id):
    framework = load_or_skip(task_id).framework
    (path,) = LESSONS.glob(f"lesson_*/*_?_{task_id}.py")
    imported = re.findall(r"^(?:import|from) (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert framework == "none" or any(framework in name for name in imported)


@pytest.mark.parametrize("lesson", tasks.lessons())
def test_half_of_a_lessons_points_are_above_level_1(lesson):
    points = {task_id: load_or_skip(task_id).points for task_id in tasks.ids(lesson)}
    beyond = sum(points[task_id] for task_id in points if tasks.level_of(task_id) > 1)
    assert not beyond or 2 * beyond >= sum(points.values())


@pytest.mark.parametrize("lesson", sorted({*tasks.lessons(), *tasks.lessons("practice")}))
def test_lesson_with_tasks_has_a_notebook_and_a_docstring(lesson):
    assert notebooks_of(lesson)
    module = ast.parse((LESSONS / f"lesson_{lesson}" / "__init__.py").read_text(encoding="utf-8"))
    assert ast.get_docstring(module) and len(module.body) == 1, "each task has its own file"


@pytest.mark.parametrize("lesson", tasks.lessons())
def test_lesson_lists_every_claim_of_its_tasks(lesson):
    metadata = [json.loads(path.read_text(encoding="utf-8"))["metadata"] for path in notebooks_of(lesson)]
    dealt_with = {source for each in metadata for source in each["unloop"]["sources"]}
    assert {source for task_id in tasks.ids(lesson) for source in load_or_skip(task_id).sources} <= dealt_with


def test_lessons_and_tasks_are_in_order():
    assert tasks.lessons()[0] == "00_start_here" and list(tasks.lessons()) == sorted(tasks.lessons())
    assert tasks.ids("03_element_loops")[:3] == ("clip_and_scale", "tiled_add", "step_states")
    assert tasks.lesson_of("tiled_add") == "03_element_loops"
    assert [each for lesson in tasks.lessons() for each in tasks.ids(lesson)] == list(tasks.names())


def test_new_task_needs_only_a_file(monkeypatch, tmp_path):
    names = [f"task_{place}_t{place}.py" for place in (10, 9, 1)]
    files = {f"lesson_98_new/{name}": SOURCE.format(name[:-3].split("_")[2]) for name in names}
    temporary_tasks.add(monkeypatch, tmp_path, files | {"lesson_98_new/shared.py": "SIZE = 3"})
    assert tasks.lessons()[-1] == "98_new"
    assert tasks.ids("98_new") == ("t1", "t9", "t10")
    assert tasks.load("t10").id == "t10"


def test_practice_loads_by_its_name_and_is_no_exercise(monkeypatch, tmp_path):
    practice = SOURCE.format("trial").replace("points=1", "points=0")
    temporary_tasks.add(
        monkeypatch,
        tmp_path,
        {
            "lesson_98_new/task_1_last.py": SOURCE.format("last"),
            "lesson_98_new/practice_1_trial.py": practice,
            "lesson_98b_new_tensorflow/practice_1_twin.py": practice.replace("trial", "twin"),
        },
    )
    assert (tasks.ids("98_new"), tasks.ids("98_new", "practice")) == (("last",), ("trial",))
    assert (tasks.lesson_of("trial"), tasks.kind_of("trial"), tasks.kind_of("last")) == ("98_new", "practice", "task")
    assert (tasks.load("trial").points, tasks.level_of("trial")) == (0, 1)
    assert "trial" not in tasks.names() and {"trial", "twin"} <= set(tasks.names("practice"))
    assert "98b_new_tensorflow" not in tasks.lessons() and "98b_new_tensorflow" in tasks.lessons("practice")
    with pytest.raises(tasks.TaskMissing, match="did you mean trial"):
        tasks.load("trail")


def test_folder_without_sources_is_no_lesson(monkeypatch, tmp_path):
    temporary_tasks.add(monkeypatch, tmp_path, {"lesson_98_gone/__pycache__/task_1_gone.cpython-310.pyc": ""})
    assert "98_gone" not in tasks.lessons()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["element_loops/task_1_x.py"], "folder tasks/element_loops belongs to no lesson; call it lesson_NN_topic"),
        (["lesson_3_loops/task_1_x.py"], "folder tasks/lesson_3_loops belongs to no lesson"),
        (["lesson_98_bad/task_x.py"], "lesson_98_bad/task_x.py lacks the task's number; call it task_N_name.py"),
        (["lesson_98_bad/task_1_2d.py"], "lesson_98_bad/task_1_2d.py lacks the task's number"),
        (["lesson_98_bad/task_1_x.py", "lesson_98_bad/task_1_y.py"], "has task_1_x.py and task_1_y.py; give each"),
        (["lesson_98_bad/task_1_x.py", "lesson_98_bad/task_2_x.py"], "has task_1_x.py and task_2_x.py; give each"),
        (["lesson_98_bad/practice_x.py"], "lesson_98_bad/practice_x.py lacks the task's number"),
        (["lesson_98_bad/task_1_x.py", "lesson_98_bad/practice_2_x.py"], "has practice_2_x.py and task_1_x.py; give"),
        (["lesson_98_bad/task_1_double.py"], "lesson_98_bad and lesson_00_start_here both have a task 'double'"),
    ],
)
def test_file_name_without_a_number_is_refused(files, says, monkeypatch, tmp_path):
    temporary_tasks.add(monkeypatch, tmp_path, dict.fromkeys(files, SOURCE.format("x")))
    with pytest.raises(TaskInvalid, match=re.escape(says)):
        tasks.names()


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("task = 3", "lesson_98_bad/task_1_odd.py defines no task; write TASK = Task(id='odd', …) in it."),
        ("TASK = 3", "lesson_98_bad/task_1_odd.py defines no task;"),
        (SOURCE.format("even"), "lesson_98_bad/task_1_odd.py defines the task 'even'; give the file and the task"),
        (SOURCE.format("odd").replace("level=1", "level=4"), "The task 'odd' has level=4; write 1"),
        (
            SOURCE.format("odd").replace("points=1", "points=0"),
            "defines a task worth 0 points; call the file of a task with points",
        ),
    ],
)
def test_file_without_its_task_is_refused(source, says, monkeypatch, tmp_path):
    temporary_tasks.add(monkeypatch, tmp_path, {"lesson_98_bad/task_1_odd.py": source})
    with pytest.raises(TaskInvalid, match=re.escape(says)):
        tasks.load("odd")


def test_task_without_a_level_is_refused(monkeypatch, tmp_path):
    source = "from course_utils.tasks import Task\nTASK = Task('odd', '', 1, 1, abs, lambda size, generator: (size,))"
    temporary_tasks.add(monkeypatch, tmp_path, {"lesson_98_bad/task_1_odd.py": source})
    with pytest.raises(TaskInvalid, match="lesson_98_bad/task_1_odd.py gives its task no level; write level=1"):
        tasks.level_of("odd")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"id": "tiled-add"}, "The task 'tiled-add' cannot be the name of a function; write an id such as"),
        ({"id": "lambda"}, "The task 'lambda' cannot be the name of a function"),
        ({"points": -1}, "has points=-1; write an integer, 0 or more."),
        ({"points": 1.5}, "has points=1.5; write an integer"),
        ({"level": 0}, "has level=0; write 1"),
        ({"level": True}, "has level=True; write 1"),
        ({"framework": "jax"}, "has framework='jax'; write one of 'torch', 'tensorflow', 'none'."),
        ({"target": 0.5}, "has target=0.5; write a speed-up of 1 or more"),
        ({"target": float("nan")}, "has target=nan; write a speed-up"),
        ({"target": "5"}, "has target='5'; write a speed-up"),
        ({"count_sizes": (64, 8)}, "has count_sizes=(64, 8); write two sizes, the smaller one first"),
        ({"count_sizes": (8, 8)}, "has count_sizes=(8, 8); write two sizes"),
        ({"count_sizes": (8,)}, "has count_sizes=(8,); write two sizes"),
        ({"count_sizes": 8}, "has count_sizes=8; write two sizes"),
        ({"hints": "Think."}, "has hints='Think.'; write a tuple of sentences"),
        ({"hints": ("Think.", " ")}, "has hints=('Think.', ' '); write a tuple of sentences"),
        ({"sources": ("S5.1",)}, "has sources=('S5.1',); write a tuple of claims"),
        ({"sources": "S0.6"}, "has sources='S0.6'; write a tuple of claims"),
        ({"limits": at_most(3, "ops")}, "has limits=MostOps(number=3); write a tuple of limits"),
        ({"limits": (20,)}, "has limits=(20,); write a tuple of limits, such as (at_most(20, 'ops'),)."),
        ({"limits": (at_most(3, "ops"), at_most(4, "ops"))}, "has 2 limits on ops; keep one."),
        ({"writes": ("out",)}, "has writes=('out',); write a tuple of names among the slow loop's arguments: x."),
        ({"writes": "x"}, "has writes='x'; write a tuple of names"),
        ({"returns": True}, "has returns=True and writes nothing"),
        ({"writes": ("x",), "gradients": True}, "has writes and gradients=True; no gradient flows"),
        (
            {"target": 2, "cost": lambda size: 4 * size},
            "has a cost that gives 1024 at size 256; write cost=lambda size: Cost(reads=",
        ),
        ({"target": 2, "cost": lambda: Cost()}, "has a cost that gives TypeError: "),
        ({"target": 2, "cost": Cost(reads=4)}, "has a cost that gives TypeError: "),
        (
            {"target": 2, "cost": lambda size: Cost(reads=-size)},
            "has a cost that gives CostError: A cost's reads must be 0 or more; got reads=-256",
        ),
        (
            {"cost": lambda size: Cost(reads=size)},
            "has a cost or ways, but target=None: without a race the card shows neither",
        ),
        ({"ways": {"where": abs}}, "has a cost or ways, but target=None"),
        ({"target": 2, "ways": {"where": 3}}, "has ways={'where': 3}; write names and functions"),
        ({"target": 2, "ways": {" ": abs}}, "has ways={' ': <built-in function abs>}; write names and functions"),
        ({"target": 2, "ways": (abs,)}, "has ways=(<built-in function abs>,); write names and functions"),
        (
            {"target": 2, "ways": {"slow loop": abs}},
            "has a version in ways with the name 'slow loop', which the card uses",
        ),
        ({"level": 3, "target": 2}, "has level=3 and no cost; a challenge aims at a limit"),
    ],
)
def test_invalid_task_is_refused_when_it_is_created(wrong, says):
    with pytest.raises(TaskInvalid, match=re.escape(says)) as raised:
        replace(SAMPLE, **wrong)
    assert isinstance(raised.value, CourseError) and str(raised.value).startswith("The task '")
    assert "\n" not in str(raised.value)


def test_task_names_the_versions_for_the_speed_position():
    task = replace(SAMPLE, target=2, level=3, cost=lambda size: Cost(reads=4 * size, writes=4), ways={"sum": sum})
    assert task.cost(100) == Cost(reads=400, writes=4)
    assert list(task.ways) == ["sum"] and hash(task)


@pytest.mark.parametrize(
    ("number", "kind", "says"),
    [
        (
            20,
            "operations",
            "at_most(20, 'operations') limits nothing that is counted; choose a kind: ops, launches, bytes",
        ),
        (-1, "ops", "at_most(-1, 'ops') is not a limit; write an integer, 0 or more."),
        (2.5, "syncs", "at_most(2.5, 'syncs') is not a limit"),
        (True, "traces", "at_most(True, 'traces') is not a limit"),
        (len, "ops", "at_most(…, 'ops') has a function of the inputs; only bytes may: write an integer."),
    ],
)
def test_invalid_limit_is_refused(number, kind, says):
    with pytest.raises(TaskInvalid, match=re.escape(says)):
        at_most(number, kind)


@pytest.mark.parametrize(
    ("number", "kind", "phrase"),
    [
        (20, "ops", "at most 20 tensor operations"),
        (1, "ops", "at most 1 tensor operation"),
        (8, "launches", "at most 8 operations started from Python"),
        (4096, "bytes", "at most 4,096 bytes"),
        (len, "bytes", "memory within its limit"),
        (4096, "peak bytes", "a peak of at most 4,096 bytes"),
        (len, "peak bytes", "peak memory within its limit"),
        (5, "transfers", "at most 5 transfers"),
        (1, "traces", "at most 1 trace"),
    ],
)
def test_a_limit_has_a_phrase(number, kind, phrase):
    words = "a few" if callable(number) else ""
    assert at_most(number, kind, words).phrase == phrase


@pytest.mark.parametrize(
    ("limit", "small", "stopped", "says"),
    [
        (
            at_most(4, "ops"),
            {"ops": 113},
            {},
            "at most 4 are allowed. Counting at size 9,000 ended before it showed whether the number grows with the input",
        ),
        (
            at_most(4, "ops"),
            {"ops": 113},
            {"ops": 400},
            "takes more than 400: the number grows with the input, so a loop still runs over its values, in blocks or in rounds.",
        ),
        (at_most(2, "launches"), {"launches": 3}, {"launches": 7}, "At size 9000, Python starts at least 7 operations"),
        (at_most(0, "syncs"), {"syncs": 2}, {}, "Python waits for values 2 times at size 8; none is allowed."),
        (
            at_most(0, "syncs"),
            {"syncs": 2},
            {"syncs": 3},
            "values 2 times at size 8 and at least 3 times at size 9000; none",
        ),
        (at_most(1, "transfers"), {"transfers": 2}, {"transfers": 7}, "halved requests at least 7 transfers"),
    ],
)
def test_numbers_of_a_stopped_call_are_lower_limits(limit, small, stopped, says):
    text = limit.after_all("halved", {8: Counts(**small), 9000: PartialCounts(**stopped)})
    assert says in text


def test_rounds_are_named_if_values_add_fewer_than_one_operation_each():
    counts = {size: Counts(ops=ops) for size, ops in ((64, 6), (128, 10), (1024, 966))}
    rounds, loop = (at_most(9, "ops").after_all("halved", {64: counts[64], size: counts[size]}) for size in (128, 1024))
    assert "still runs over it, such as a loop over blocks or a round for each doubling. At most 9" in rounds
    assert "still runs over it. At most 9" in loop


def test_views_may_grow_as_rounds_of_doubling_do():
    limit = at_most(4, "ops")
    few, rounds, one_more, loop = (Counts(ops=each, view_ops=each, views=each) for each in (9, 18, 19, 16))
    assert limit.after_all("halved", {8: few, 64: rounds}) is None
    assert "still runs over it" in limit.after_all("halved", {8: few, 64: one_more})
    assert "still runs over it" in limit.after_all("sliced", {4: Counts(ops=8, view_ops=8, views=8), 12: loop})


def test_shared_case_matches_its_name():
    torch = pytest.importorskip("torch")
    from course_utils.tasks import torch_cases

    def make(case):
        return case.make(np.random.default_rng(1))

    turned, other, last = make(torch_cases.transposed_case(3, 5, (2,), rest=(7,)))
    assert (turned.shape, turned.is_contiguous(), other.shape, last) == ((3, 5), False, (2,), 7)
    (column,) = make(torch_cases.every_second_column(3, 4))
    assert (column.shape, column.stride(), column.storage_offset()) == ((3, 4), (9, 2), 1)
    assert make(torch_cases.without_rows(4))[0].shape == (0, 4)
    assert make(torch_cases.without_columns(4))[0].shape == (4, 0)
    double, also = make(torch_cases.float64((2,), ()))
    assert double.dtype == also.dtype == torch.float64 and also.dim() == 0
    first, again = (make(torch_cases.random_case("numbers", (3,)))[0] for _ in range(2))
    assert first is not again and first.equal(again), "each check draws a new case from the generator"


def test_shared_buffer_contains_old_values():
    pytest.importorskip("torch")
    from course_utils.tasks import torch_buffers, torch_cases

    def make(case):
        return case.make(np.random.default_rng(1))

    like = torch_buffers.into_buffer(torch_cases.float64((30, 2), rest=(7,)), torch_cases.without_rows(4))
    (x, rest, out), (_, empty) = map(make, like)
    assert (out.shape, out.dtype, rest) == (x.shape, x.dtype, 7) and out.abs().min() > 0 and out.abs().max() > 5
    assert empty.shape == (0, 4), "each case has a buffer of its own shape"
    assert [case.name for case in like] == ["float64 values", "a matrix without rows"]
    before = lambda _: ("what comes before",)
    assert make(torch_buffers.nan_buffer(before, 2, 3))[1].isnan().tolist() == 2 * [3 * [True]]
    turned = make(torch_buffers.transposed_buffer(before, 3, 4))[1]
    assert (turned.shape, turned.is_contiguous()) == ((3, 4), False)
    part = make(torch_buffers.noncontiguous_buffer(before, 3, 4))[1]
    assert (part.shape, part.stride(), part.storage_offset()) == ((3, 4), (9, 2), 1)


def test_unknown_name_suggests_similar_ones():
    with pytest.raises(tasks.TaskMissing, match="did you mean tiled_add"):
        tasks.load("tile_add")
    with pytest.raises(tasks.TaskMissing, match="no task called 'zzz'; progress\\(\\) shows all tasks.$"):
        tasks.load("zzz")
    with pytest.raises(tasks.TaskMissing, match="no lesson called '03_element_loop' with tasks; did you mean 03_elem"):
        tasks.ids("03_element_loop")


def test_misspelled_name_suggests_one_name():
    with pytest.raises(tasks.TaskMissing, match="did you mean clip_and_scale\\?$"):
        tasks.load("clip_and_scal")
    with pytest.raises(tasks.TaskMissing) as raised:
        tasks.load("wrapper")
    assert len(str(raised.value)) < 80


def test_name_of_a_slow_loop_suggests_its_task():
    with pytest.raises(tasks.TaskMissing, match="did you mean nearest\\?$"):
        tasks.load("nearest_slow")


@pytest.mark.parametrize("name", ["blur_the_rowa", "blur_the_rowb"])
def test_suggestion_prefers_a_lesson_in_use(monkeypatch, tmp_path, name):
    files = {
        f"lesson_98{letter}_new/task_1_blur_the_row{letter}.py": SOURCE.format(f"blur_the_row{letter}")
        for letter in "ab"
    }
    temporary_tasks.add(monkeypatch, tmp_path, files)
    tasks.load(name)
    with pytest.raises(tasks.TaskMissing, match=f"did you mean {name}\\?$"):
        tasks.load("blur_the_row")


@pytest.mark.slow
def test_listing_tasks_imports_no_framework_and_no_lesson():
    script = (
        "import sys; from course_utils import tasks; tasks.names(); tasks.lesson_of('wave_cube')\n"
        "print([name for name in sys.modules if name in ('torch', 'tensorflow') or 'tasks.lesson' in name])"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.slow
def test_missing_framework_raises_one_sentence():
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "from course_utils import tasks\n"
        "try: tasks.load('double')\n"
        "except tasks.FrameworkMissing as missing: print(missing)"
    )
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert output == "The task 'double' needs torch, which is not installed here; `pip install torch` installs it.\n"
