"""Honest answers get their points from a real, caged child, however odd the notebook around them is."""

import importlib
import json
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from course_utils.grading import AnswerCell, Submission, TaskMark, Zygotes, framework_codecs, grade
from course_utils.grading.child_handle import Child
from course_utils.grading.fake_device_calls import FakeDeviceCalls

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
RIGHT = "def double(x):\n    return 2 * x"
TRAINING = """from torch.utils import checkpoint
weight = torch.nn.Parameter(torch.ones(2))
checkpoint.checkpoint(torch.sin, weight, use_reentrant=False).sum().backward()
torch.optim.SGD([weight], lr=0.1).step()"""


def cells_of_solutions(lesson):
    """Yield the code cells of a solutions notebook without setup, slow loops and checks."""
    notebook = json.loads((ROOT / "solutions" / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    for index, cell in enumerate(notebook["cells"]):
        marked = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "code" and cell["id"] != "setup" and not marked.get("grade"):
            task_id = cell["id"].removesuffix("-answer").replace("-", "_") if marked.get("solution") else ""
            yield AnswerCell(task_id, "".join(cell["source"]), index)


def submission(*sources, lesson="00_start_here"):
    cells = [AnswerCell("", "import torch", 0)]
    cells += [
        AnswerCell("double" if "def double" in each else "", each, index) for index, each in enumerate(sources, 1)
    ]
    return Submission("owl", lesson, tuple(cells))


@pytest.mark.parametrize("lesson", ["03_element_loops", "05_matmul_bmm_einsum"])
def test_reference_solutions_get_full_marks(zygotes, lesson):
    seen: list[TaskMark] = []
    marks = grade(Submission("ref", lesson, tuple(cells_of_solutions(lesson))), zygotes=zygotes, on_mark=seen.append)
    assert tuple(seen) == marks
    assert [(mark.task_id, mark.message) for mark in marks if mark.points != mark.of] == []
    assert {mark.counted_in for mark in marks} == {"parent"}


@pytest.mark.parametrize(
    ("lesson", "task"),
    [("07_batch_independent_work", "per_sample_grads"), ("13_hidden_waits", "normalize_batches")],
)
def test_vmap_and_a_device_as_an_argument_are_judged(zygotes, lesson, task):
    (mark,) = grade(Submission("ref", lesson, tuple(cells_of_solutions(lesson))), zygotes=zygotes, tasks=(task,))
    assert (mark.verdict, mark.message) == ("right", "")


WITH_GRAPH = """from torch.func import functional_call, grad, vmap
def per_sample_grads(model, loss, x, y):
    def one_loss(parameters, sample, target):
        return loss(functional_call(model, parameters, (sample[None],)), target[None])

    return vmap(grad(one_loss), in_dims=(None, 0, 0))(dict(model.named_parameters()), x, y)"""
IN_THREADS = """from concurrent.futures import ThreadPoolExecutor
def ensemble_forward(models, x):
    with ThreadPoolExecutor() as pool:
        return torch.stack(list(pool.map(lambda model: model(x), models)))"""


@pytest.mark.parametrize(
    ("task", "source", "verdict", "says"),
    [
        ("per_sample_grads", WITH_GRAPH, "right", ""),
        ("ensemble_forward", IN_THREADS, "wrong", "runs code in other threads"),
    ],
)
def test_results_with_a_graph_and_work_in_threads_are_judged_as_in_a_check(zygotes, task, source, verdict, says):
    cells = (AnswerCell("", "import torch", 0), AnswerCell(task, source, 1))
    (mark,) = grade(Submission("owl", "07_batch_independent_work", cells), zygotes=zygotes, tasks=(task,))
    assert (mark.verdict, says in mark.message) == (verdict, True)


@pytest.mark.parametrize(
    "sources",
    [
        (
            "import sys, warnings\n"
            + RIGHT.replace("return", "print('noise', file=sys.stderr); warnings.warn('w'); return"),
        ),
        ("%matplotlib inline\n!ls\n%%time\nprint('x' * 10**6)", RIGHT),
        ("1 / 0", "def helper(x): return x + x", "def double(x):\n    return helper(x)"),
        ("import os\nos._exit(0)", RIGHT),
        ("raise SystemExit", RIGHT),
        ("def double(x):\n    return x", RIGHT),
        ("def double(x):\n    return (x.unsqueeze(0).expand(3, *x.shape) * 2)[1]",),
        ("def double(x):\n    return torch.stack([2 * x, x], -1)[..., 0]",),
        (f"{TRAINING}\n{RIGHT}",),
        (
            "import os\nmuch = bytes(10**8)\ndef double(x):\n    for _ in range(100): os.write(1, much)\n    print('x' * 10**6)\n    return x + x",
        ),
    ],
    ids=[
        "stderr",
        "magics",
        "failing cell",
        "cell that exits",
        "SystemExit",
        "duplicated",
        "part of more memory",
        "not contiguous",
        "optimizer and checkpoint",
        "10 GB of output",
    ],
)
def test_honest_answers_get_their_points(zygotes, sources):
    (mark,) = grade(submission(*sources), zygotes=zygotes)
    assert (mark.verdict, mark.points, mark.message) == ("right", 1, "")


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ("x.new_tensor(range(n + 1))[list(range(1, n + 1))]", ""),
        ("torch.tensor(range(1, n + 1), dtype=x.dtype, device=x.device)", ""),
        ("torch.tensor(range(1, n + 1), dtype=x.dtype)", "creates a tensor with torch.tensor(…) without a device"),
    ],
)
def test_numbers_are_on_the_device_that_an_answer_names(zygotes, numbers, says):
    source = f"import torch\ndef step_states(x, n):\n    return x + {numbers}.reshape(-1, *[1] * x.dim())"
    submitted = Submission("owl", "03_element_loops", (AnswerCell("step_states", source, 0),))
    (mark,) = grade(submitted, zygotes=zygotes, tasks=("step_states",))
    assert says in mark.message if says else mark.verdict == "right", mark.message


def test_grader_refuses_a_result_that_depends_on_the_order_of_writes(zygotes):
    source = """def group_top(values, labels, groups):
    rising = len(values) - 1 - values.flip(0).argsort(stable=True)
    return labels.new_full((groups,), -1).scatter_(0, labels[rising], rising)"""
    submitted = Submission("owl", "06_gather_scatter_windows", (AnswerCell("group_top", source, 0),))
    (mark,) = grade(submitted, zygotes=zygotes, tasks=("group_top",))
    assert mark.message.startswith("group_top writes several values to one position"), mark.message


@pytest.mark.parametrize(
    ("operation", "is_repeated"),
    [
        ("aten.add.Tensor", True),
        ("aten.unsqueeze.default", True),
        ("aten.squeeze.dim", False),
        ("aten.sort.default", False),
        ("aten.nanmedian.dim", False),
        ("aten.topk.default", False),
        ("aten.scatter.src", False),
        ("aten.index_put_.default", False),
        ("aten._index_put_impl_.default", False),
    ],
)
def test_a_call_is_followed_again_if_its_operations_depend_on_numbers(operation, is_repeated):
    events = [["run", operation, [["h", 1]], [[]], True, [2]], ["done", ["h", 2]]]
    child = SimpleNamespace(send_ahead=lambda message, blobs: None, receive=lambda: ({"events": events}, []))
    inputs = [(torch.ones(2),), (torch.zeros(2),)]
    calls = FakeDeviceCalls(inputs)
    assert [calls.receive(child, each) for each in inputs] == [False, is_repeated]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("b[None][:, [i, i]]", "a list of tensors, read one by one"),
        ("b[i]", "x[n] or x[:n] with a tensor n of one element"),
        ("b.new_tensor([b[0], b[0]])", "a list of tensors, read one by one"),
        ("torch.Tensor([b[0]])", "float()"),
    ],
)
def test_a_list_of_tensors_is_read_value_by_value(zygotes, line, cause):
    source = (
        "def tiled_add(a, b):\n    if len(b) == 0 or a.shape[1] % len(b):\n"
        "        raise ValueError(f'{a.shape[1]} columns, {len(b)} values')\n"
        f"    i = b.argmax() * 0\n    {line}\n    return a + b.repeat(a.shape[1] // len(b))"
    )
    cells = (AnswerCell("", "import torch", 0), AnswerCell("tiled_add", source, 1))
    (mark,) = grade(Submission("owl", "03_element_loops", cells), zygotes=zygotes, tasks=("tiled_add",))
    assert mark.verdict == "wrong" and mark.message.startswith("Python waits for values"), mark.message
    assert f"({cause})" in mark.message


@pytest.mark.parametrize("wrong", ["return a", "raise KeyError('k')"])
def test_the_first_wrong_call_is_named_though_a_later_one_ends_the_process(zygotes, monkeypatch, wrong):
    send, sent = Child.send_ahead, [""]

    def send_to_a_child_that_has_ended(child, message, blobs):
        if "int64" in sent[-1]:
            time.sleep(1)
        sent.append(str(message))
        send(child, message, blobs)

    monkeypatch.setattr(Child, "send_ahead", send_to_a_child_that_has_ended)
    source = (
        "import os, torch\ndef tiled_add(a, b):\n    if a.dtype == torch.int64: os._exit(0)\n"
        f"    if a.dtype == torch.float64: {wrong}\n    return a + b.repeat(a.shape[1] // len(b))"
    )
    submitted = Submission("owl", "03_element_loops", (AnswerCell("tiled_add", source, 0),))
    (mark,) = grade(submitted, zygotes=zygotes, tasks=("tiled_add",))
    assert mark.verdict == "wrong" and mark.message.startswith("For a and b of dtype float64"), mark.message


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("model[3].p = 0.0", "model.3.p is 0.0 after the call; the slow loop leaves 0.5"),
        ("model.kept = torch.ones(2)", "model.kept is a tensor after the call"),
        ("model.kept = torch.nn.Identity()", "model.kept.training is True after the call"),
        ("model.register_forward_hook(lambda *_: None)", "predict_all leaves 1 hook on model, which later calls"),
        ("model[0].weight.register_hook(lambda gradient: None)", "predict_all leaves 1 hook on model.0.weight"),
    ],
)
def test_what_an_answer_leaves_on_a_model_is_refused(zygotes, change, says):
    source = (
        "import torch\ndef predict_all(model, batches):\n    was_training = model.training\n    model.eval()\n"
        "    with torch.no_grad():\n        result = torch.cat([model(batch) for batch in batches])\n"
        f"    model.train(was_training)\n    {change}\n    return result"
    )
    submitted = Submission("owl", "08_memory", (AnswerCell("predict_all", source, 0),))
    (mark,) = grade(submitted, zygotes=zygotes, tasks=("predict_all",))
    assert says in mark.message, mark.message


def test_the_echo_of_a_race_sends_written_arguments_back(zygotes):
    for writes, sent in (([], 0), ([0], 4000)):
        data, frame = framework_codecs.values("torch", "p").pack((torch.zeros(1000),))
        _, blobs = zygotes.echo("torch").ask(
            {"do": "time", "task": "any", "arguments": data, "writes": writes}, frame.blobs
        )
        assert sum(map(len, blobs)) == sent


def test_another_order_of_addition_is_right(zygotes):
    source = "import torch\ndef pair_scores(queries, keys):\n    return queries.flip(-1) @ keys.flip(-1).mT"
    cells = (AnswerCell("pair_scores", source, 0),)
    (mark,) = grade(Submission("owl", "05_matmul_bmm_einsum", cells), zygotes=zygotes, tasks=("pair_scores",))
    assert (mark.verdict, mark.message) == ("right", "")


def test_a_slow_answer_fails_also_after_a_class_of_fast_ones(zygotes):
    product = "(2 * torch.eye(len(x), dtype=x.dtype, device=x.device)) @ x"
    slow = f"def double(x):\n    return {product} if len(x) > 99 else 2 * x"
    assert {grade(submission(RIGHT), zygotes=zygotes)[0].verdict for _ in range(4)} == {"right"}
    (mark,) = grade(submission(slow), zygotes=zygotes)
    assert mark.verdict == "wrong"
    assert "as fast as the slow loop" in mark.message


def test_compiled_code_may_take_long_at_its_first_call(zygotes):
    cells, wanted = tuple(cells_of_solutions("12_compilers")), ("count_positive_rows",)
    (mark,) = grade(Submission("ref", "12_compilers", cells), zygotes=zygotes, tasks=wanted)
    assert (mark.verdict, mark.message, mark.counted_in) == ("right", "", "child")


def test_a_cell_that_hangs_is_skipped(zygotes, monkeypatch):
    monkeypatch.setattr(importlib.import_module("course_utils.grading.grade_submission"), "CELL_S", 1.0)
    (mark,) = grade(submission("while True: pass", RIGHT), zygotes=zygotes)
    assert (mark.verdict, mark.points) == ("right", 1)


@pytest.mark.parametrize("sources", [(), ("def double(x):\n    raise NotImplementedError()",), ("double = 3",)])
def test_an_untried_task_is_named_so(zygotes, sources):
    (mark,) = grade(submission(*sources), zygotes=zygotes)
    assert (mark.verdict, mark.points, mark.of) == ("untried", 0, 1)


MANY = "16_many_devices"
POOL = """
import multiprocessing, os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
def ordered_map(fn, items, workers):
    with {pool} as pool:
        return list(pool.map(fn, items))
"""
STEP = """
import torch
def ddp_step(model, loss, x, y, rate, all_reduce):
    parameters = [each for each in model.parameters() if each.requires_grad]
    gradients = torch.autograd.grad(loss(model(x), y).sum(), parameters, allow_unused=True)
    pieces = [torch.zeros_like(p) if g is None else g for p, g in zip(parameters, gradients)]
    flat = torch.cat([*(piece.flatten() for piece in pieces), x.new_tensor([float(len(x))])])
    {reduce}
    means = (flat[:-1] / flat[-1]).split([each.numel() for each in parameters])
    with torch.no_grad():
        for parameter, mean in zip(parameters, means):
            parameter -= rate * mean.view_as(parameter)
"""


def mark_of(zygotes, source, task):
    (mark,) = grade(Submission("owl", MANY, (AnswerCell(task, source, 0),)), zygotes=zygotes, tasks=(task,))
    return mark


def test_reference_solutions_with_several_processes_get_full_marks(zygotes):
    wanted = ("ordered_map", "ddp_step")
    marks = grade(Submission("ref", MANY, tuple(cells_of_solutions(MANY))), zygotes=zygotes, tasks=wanted)
    assert [(mark.verdict, mark.message, mark.counted_in) for mark in marks] == [("right", "", "parent")] * 2


@pytest.mark.parametrize(
    ("pool", "says"),
    [
        # In the cage, a fork server is replaced by spawned processes, so this pool shows that both work.
        ("ProcessPoolExecutor(workers, multiprocessing.get_context('forkserver'))", ""),
        ("multiprocessing.Pool(workers)", ""),
        ("multiprocessing.Pool(workers, maxtasksperchild=1)", "in 4 processes, but `workers` is 2"),
        ("ThreadPoolExecutor(workers)", "perhaps in a thread"),
        ("kept_pools.append(multiprocessing.Pool(workers)) or __import__('contextlib').nullcontext(kept_pools[-1])", "still run"),
    ],
)  # fmt: skip
def test_the_system_shows_which_processes_compute(zygotes, pool, says):
    mark = mark_of(zygotes, "kept_pools = []" + POOL.format(pool=pool), "ordered_map")
    assert says in mark.message if says else mark.verdict == "right", mark.message


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        ("[(number ** 0.5, 7) for _, number in items]", "Some results were computed in this process"),
        ("[[fn], 1.0]", "return a list with the result of fn"),
    ],
)
def test_results_without_processes_are_wrong(zygotes, returned, says):
    mark = mark_of(zygotes, f"def ordered_map(fn, items, workers):\n    return {returned}", "ordered_map")
    assert mark.verdict == "wrong" and says in mark.message, mark.message


@pytest.mark.parametrize(
    ("reduce", "says"),
    [
        ("assert x.untyped_storage().nbytes() == x.nbytes; all_reduce(flat)", ""),
        ("len(x) and all_reduce(flat)", "raised UnequalCalls: one worker waits in all_reduce"),
        ("all_reduce(flat[len(x):])", "raised UnequalCalls: one worker calls all_reduce with ("),
        ("all_reduce(flat); all_reduce(flat.clone()); all_reduce(flat.clone())", "all_reduce was called 3 times"),
        (
            "flat = torch.cat([flat[:-1], torch.tensor([len(x)])]); all_reduce(flat)",
            "creates a tensor with torch.tensor(…) without a device",
        ),
        ("x[-1:] += 1; all_reduce(flat)", "ddp_step changed its input x"),
        ("1 / (len(x) - 3)", "ZeroDivisionError"),
        ("__import__('os')._exit(0) if len(x) == 3 else all_reduce(flat)", "The process of ddp_step ended"),
    ],
)
def test_each_worker_has_its_own_process_and_the_check_connects_them(zygotes, reduce, says):
    mark = mark_of(zygotes, STEP.format(reduce=reduce), "ddp_step")
    assert says in mark.message if says else mark.verdict == "right", mark.message


def test_processes_are_seen_without_a_cage_too():
    with Zygotes(caged=False) as uncaged:
        right, wrong = (
            mark_of(uncaged, POOL.format(pool=pool), "ordered_map")
            for pool in ("ProcessPoolExecutor(workers)", "ThreadPoolExecutor(workers)")
        )
    assert (right.verdict, right.message) == ("right", "")
    assert "perhaps in a thread" in wrong.message


def test_only_answers_that_start_processes_are_left_to_a_person_without_their_cage(zygotes, monkeypatch):
    monkeypatch.setattr(zygotes.of("torch"), "may_start_processes", False)
    cells = tuple(cells_of_solutions(MANY))
    marks = grade(Submission("ref", MANY, cells), zygotes=zygotes, tasks=("ordered_map", "ddp_step"))
    assert [mark.verdict for mark in marks] == ["refused", "right"]
    assert "ordered_map starts processes, for which this machine has no cage" in marks[0].message
