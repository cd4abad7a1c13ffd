"""A check tells right from wrong, says why in a few short lines, and harms neither the kernel nor itself."""

import importlib.util
import logging
import os
import random
import subprocess
import sys
import threading
import time
import warnings
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from course_utils import tasks
from course_utils.judging import Answer, TaskFailed, fast, judge, judgement
from course_utils.learner import exercises, store
from course_utils.sandbox import memory, time_limits
from course_utils.sandbox.time_limits import Effort, Stopped, time_limit
from course_utils.tasks import Case
from course_utils.tasks.at_most import at_most

torch = pytest.importorskip("torch")

import made_up_lessons
from made_up_task import ROW_SUMS, normal, row_sums_slow

TASK = replace(ROW_SUMS, target=None)  # most tests need no race


def judged(function, task=TASK):
    return judge(task, Answer(function, task))


def message(answer, task=TASK):
    verdict = judged(answer, task)
    assert verdict.message is not None, f"passed: {verdict.lines}"
    assert verdict.points == 0
    assert "AssertionError" not in verdict.message
    return verdict.message


def refused_at(answer, task=TASK):
    return judged(answer, task).lines[-1].name


def test_the_slow_loop_is_asked_once_for_the_same_inputs():
    asked = []

    def noting(x):
        asked.append(x.numpy().tobytes())
        return row_sums_slow(x)

    assert judged(lambda x: x.sum(1), replace(TASK, slow=noting, limits=())).right
    random_ones = [each for each in asked if len(each) == 4 * 17 * 18]
    assert len(random_ones) == len(set(random_ones)) == 3  # the last of the sizes, and the two that come again


def test_a_right_answer_has_three_steady_lines():
    verdicts = [judged(lambda x: x.sum(1), ROW_SUMS) for _ in range(2)]
    texts = ["\n".join(map(str, verdict.lines)) for verdict in verdicts]
    assert (
        texts[0]
        == texts[1]
        == (
            "✓ correct   fresh random inputs and 3 edge cases\n"
            "✓ unlooped  at most 4 tensor operations, whatever the size\n"
            "✓ fast      at least 5 times as fast as the slow loop, within what can be measured"
        )
    )
    assert [repr(verdict) for verdict in verdicts] == ["row_sums: right, 2 points"] * 2
    assert verdicts[0].ratio.value > 5 and verdicts[0].points == 2
    assert verdicts[0].counts[8].ops == verdicts[0].counts[64].ops == 1


def test_what_is_not_asked_is_said():
    lines = judged(lambda x: x.sum(1), replace(TASK, limits=())).lines
    assert [line.status for line in lines] == ["right", "not asked", "not asked"]


def test_the_inputs_are_new_each_time():
    seen = []
    judged(lambda x: seen.append(x.sum().item()), TASK)
    judged(lambda x: seen.append(x.sum().item()), TASK)
    assert len(seen) == len(set(seen)) >= 2


def test_a_message_shows_the_smallest_input_expected_and_given():
    told = message(lambda x: torch.where(x.sum(1) > -99, x.sum(1) + (torch.arange(len(x)) == 1), 0.0)).splitlines()
    assert told[0] == "For a random input of size 2, the result has wrong values (1 of 2 values)."
    assert told[1].startswith("  x         [[") and told[1].endswith("(float32, shape (2, 3))")
    assert told[2].startswith("  expected  ") and told[3].startswith("  given     ")
    assert set(told[4].strip()) == {"^"} and len(told[2]) == len(told[3]) == len(told[4])


def test_a_usual_mistake_gets_its_name():
    square = replace(TASK, inputs=lambda size, generator: normal(size, size)(generator), sizes=(2, 5))
    assert message(lambda x: x.sum(0), square).endswith("These are the sums of the columns.")


def test_lower_precision_gets_its_name():
    assert "lower precision" in message(lambda x: x.half().sum(1).float())


def leaked(x):
    inside = []
    torch.vmap(lambda row: inside.append(row.sum()) or row)(x)
    return inside


def symbolic(x):
    from torch._subclasses import FakeTensorMode

    return FakeTensorMode().from_tensor(x)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda x: None, "is `return` missing?"),
        (lambda x: x.sum(1).tolist(), "the result is a list"),
        (lambda x: x.sum(1).numpy(), "the result is a NumPy array"),
        (lambda x: x.sum(1).float(), "For float64 values, the result has dtype float32; float64 is wanted."),
        (lambda x: x.sum(1, keepdim=True), "shape (1, 1); (1,) is wanted"),
        (lambda x, y: x, "(x, y) cannot be called as row_sums(x)"),
        (lambda x: x.sum(1) / 0 if len(x) == 5 else x.sum(1), "For a random input of size 5"),
        (lambda x: x.cumsum_(1)[:, -1].clone(), "changed its input x"),
        (lambda x: x.t_().sum(0), "changed its input x"),
        (lambda x: x.no_such_method(), "raised AttributeError"),
        (lambda x: sys.exit("bye"), "raised SystemExit: bye"),
        (lambda x: (yield x), "the result is a generator"),
        (lambda x: x.sum(1).to_sparse(), "is a torch.sparse_coo tensor"),
        (lambda x: torch.nested.nested_tensor([x.sum(1)]), "is a nested tensor"),
        (lambda x: leaked(x)[-1], "from inside a torch.func transformation"),
        (lambda x: symbolic(x.sum(1)), "is a torch FakeTensor, a class of its own"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(answer, says):
    assert says in message(answer)


def test_an_error_names_the_learners_own_line():
    def row_sums(x):
        return x.sum(7)

    assert "`return x.sum(7)`, raised IndexError" in message(row_sums)
    assert "/" not in message(row_sums)


def test_an_answer_that_is_not_written_is_said_kindly():
    def row_sums(x):
        raise NotImplementedError

    assert message(row_sums).startswith("row_sums is not written yet")


def test_a_view_of_the_input_is_refused_unless_the_task_allows_it():
    first = replace(TASK, slow=lambda x: x[:, 0].clone(), edge_cases=(), mistakes=())
    assert "is a view of the input x" in message(lambda x: x[:, 0], first)
    assert judged(lambda x: x[:, 0], replace(first, may_alias=True)).right


def test_a_cached_answer_is_refused():
    kept = {}
    assert "earlier call" in message(lambda x: kept.setdefault(x.shape, x.sum(1)))
    by_identity = {}
    told = message(lambda x: by_identity.setdefault(id(x), (x, x.sum(1)))[1])
    assert told.startswith("For new values in the same tensors") and "earlier call" in told


def test_a_result_that_a_later_call_overwrites_is_refused():
    kept = {}

    def row_sums(x):
        return torch.sum(x, 1, out=kept.setdefault((x.shape, x.dtype), torch.empty(len(x), dtype=x.dtype)))

    assert "changed the result of an earlier one" in message(row_sums)


def test_an_answer_that_knows_a_model_by_its_identity_is_refused():
    def linear(generator):
        layer = torch.nn.Linear(3, 2)
        layer.weight.data = normal(2, 3)(generator)[0]
        return layer

    def inputs(size, generator):
        return linear(generator), *normal(size, 3)(generator)

    task = replace(TASK, slow=lambda model, x: model(x), inputs=inputs, edge_cases=(), limits=())
    assert judged(lambda model, x: model(x), task).right  # its result knows its past, which no deep copy may hold

    by_identity = {}

    def kept_weights(model, x):
        weight = by_identity.setdefault(id(model), (model, model.weight.detach().clone()))[1]
        return x @ weight.T + model.bias

    assert message(kept_weights, task).startswith("For new values in the same tensors")


def test_an_answer_that_differs_from_call_to_call_is_refused():
    calls = iter(range(1000))
    assert "when called again" in message(lambda x: x.sum(1) + (next(calls) == len(TASK.sizes) + 4))


def test_a_tensor_made_without_its_device_is_refused():
    assert "torch.zeros(…) that does not say where" in message(lambda x: x.sum(1) + torch.zeros(len(x), dtype=x.dtype))
    assert judged(lambda x: x.sum(1) + torch.zeros(len(x), dtype=x.dtype, device=x.device)).right
    assert judged(lambda x: x.sum(1) + torch.tensor(0.0)).right
    assert judged(lambda x: x[torch.arange(len(x))].sum(1)).right


def test_what_must_be_refused_must_be_refused_with_words():
    task = replace(TASK, raises=((Case("a vector", normal(3)), ValueError),))

    def refusing(error):
        def row_sums(x):
            if x.dim() != 2:
                raise error
            return x.sum(1)

        return row_sums

    assert judged(refusing(ValueError("x must be a matrix")), task).right
    assert "without a message" in message(refusing(ValueError()), task)
    assert "should raise ValueError; line" in message(refusing(TypeError("no")), task)
    assert "should raise ValueError; it raised nothing." in message(lambda x: x.sum(-1), task)


def test_gradients_are_compared_where_the_task_asks():
    task = replace(TASK, gradients=True)
    assert judged(lambda x: x.sum(1), task).right
    assert "none reaches x" in message(lambda x: x.detach().sum(1), task)
    assert "wrong values" in message(lambda x: (x + x.detach()).sum(1) / 2, task)


def test_loops_are_seen_by_counting():
    assert "the number grows with the input" in message(row_sums_slow)
    assert "grows" in message(lambda x: torch.stack([row.sum() for row in x]) if len(x) else x.sum(1))
    assert "at most 4 are allowed. Which" in message(lambda x: x.sum(1) + 1 - 1 + 1 - 1)
    assert ".tolist() takes the values out" in message(
        lambda x: torch.tensor([sum(row) for row in x.double().tolist()], dtype=x.dtype, device=x.device)
    )
    assert "Python waits for values" in message(lambda x: x.sum(1) if x.numel() == 0 or x[0, 0] < 99 else None)
    assert "take the print out" in message(lambda x: (str(x), x.sum(1))[1])
    assert "bytes" in message(lambda x: (x.repeat(9, 1)[: len(x)]).sum(1))
    assert refused_at(row_sums_slow) == "unlooped"


def test_transfers_are_limited_where_the_task_asks():
    limits = at_most(4, "ops"), at_most(0, "syncs"), at_most(1, "transfers")
    task = replace(TASK, slow=lambda x, device: x.to(device) * 2, limits=limits, mistakes=(), edge_cases=())
    task = replace(task, inputs=lambda size, generator: (*TASK.inputs(size, generator), "cpu"))
    assert "at most 1 transfer, whatever" in judged(lambda x, device: x.to(device) * 2, task).lines[1].text
    told = message(lambda x, device: x.to(device) * torch.tensor(2.0, device=device), task)
    assert "asks for 2 transfers; at most 1 is allowed." in told and "before the loop" in told


def test_whether_python_may_wait_for_values_is_the_tasks_own_word():
    def asking(x):
        return x.sum(1) if x.numel() == 0 or x[0, 0] < 99 else None

    def in_lists(x):
        return torch.tensor([sum(row) for row in x.double().tolist()], dtype=x.dtype, device=x.device)

    assert judged(asking, replace(TASK, limits=(at_most(4, "ops"),))).right
    assert "Python waits for values once at size 8" in message(asking, replace(TASK, limits=(at_most(0, "syncs"),)))
    assert judged(asking, replace(TASK, limits=(at_most(1, "syncs"),))).right
    assert judged(in_lists, replace(TASK, limits=(at_most(4, "ops"),))).right
    told = message(in_lists, replace(TASK, limits=(at_most(1000, "syncs"),)))
    assert ".tolist() takes the values out" in told  # whole tensors may not come, however many waits there may be


def test_memory_is_named_where_nothing_else_is_limited():
    in_proportion, at_a_number = at_most(lambda x: 10**6, "bytes"), at_most(10**6, "bytes")
    no_wait = at_most(0, "syncs")
    for limits, told in (
        ((in_proportion, no_wait), "memory within its limit, whatever the size"),
        ((at_most(4, "ops"), in_proportion, no_wait), "at most 4 tensor operations, whatever the size"),
        ((at_most(4, "ops"), at_a_number), "at most 4 tensor operations, at most 1000000 bytes, whatever the size"),
        ((no_wait,), "at most 0 waits for a value, whatever the size"),
    ):
        assert judged(lambda x: x.sum(1), replace(TASK, limits=limits)).lines[1].text == told


def test_an_answer_that_ignores_the_device_it_is_given_is_refused_on_a_machine_with_a_cpu_only():
    elsewhere = Case("a device without values", lambda generator: (*normal(2, 3)(generator), "meta"))
    limits = at_most(4, "ops"), at_most(0, "syncs")
    task = replace(TASK, slow=lambda x, device: x.to(device) * 2, limits=limits, mistakes=(), edge_cases=(elsewhere,))
    task = replace(task, inputs=lambda size, generator: (*TASK.inputs(size, generator), "cpu"))
    assert judged(lambda x, device: x.to(device) + x.to(device), task).right
    assert "the result is on cpu; it is wanted on meta" in message(lambda x, device: x * 2, task)
    assert "has shape" in message(lambda x, device: (x if device == "cpu" else x[0]).to(device) * 2, task)


def test_a_slow_answer_without_a_loop_is_refused_by_the_race():
    def row_sums(x):
        time.sleep(0.02)
        return x.sum(1)

    verdict = judged(row_sums, ROW_SUMS)
    assert verdict.lines[-1].name == "fast" and "at least 5× is wanted" in verdict.message


def test_an_answer_whose_one_call_outlasts_the_race_is_refused(monkeypatch):
    monkeypatch.setattr(fast, "_BUDGET_S", 0.1)

    def row_sums(x):
        time.sleep(0.2 if len(x) == ROW_SUMS.race_size else 0)
        return x.sum(1)

    assert "one call takes 0.2 s, longer than the whole race may last" in message(row_sums, ROW_SUMS)


def test_an_answer_that_is_right_for_small_inputs_only_is_refused():
    assert "Small inputs came out right." in message(lambda x: x.sum(1) + (len(x) == 40), ROW_SUMS)


def test_an_answer_that_never_returns_is_stopped():
    def row_sums(x):
        while True:
            try:
                sum(range(100))
            except Exception:  # noqa: BLE001, S110 - as learners write it
                pass

    start = time.process_time()
    assert "was stopped before it returned: a check gives it 1 s;" in message(row_sums, replace(TASK, timeout_s=1))
    assert time.process_time() - start < 5


def forgiving():
    while True:
        try:
            time.sleep(0.01)
        except:  # noqa: E722, S110 - as learners write it
            pass


def forgiving_in_two_ways():
    while True:
        with suppress(BaseException):
            time.sleep(0.01)


@pytest.mark.parametrize("loop", [forgiving, forgiving_in_two_ways])
def test_a_loop_that_swallows_every_error_is_stopped_too(loop):
    start = time.perf_counter()
    out = sys.stdout
    assert "was stopped before it returned" in message(lambda x: loop(), replace(TASK, timeout_s=0.5))
    assert time.perf_counter() - start < 20
    assert sys.stdout is out


@pytest.mark.parametrize(
    ("clock", "computed", "worked"),
    [(1.0, 1.0, 1.0), (8.0, 1.0, 1.0), (1.0, 2.0, 1.0), (8.0, 0.1, 8.0)],
    ids=["alone", "on a busy machine", "on two threads", "asleep"],
)
def test_what_counts_is_the_work_done(monkeypatch, clock, computed, worked):
    now = [5.0, 3.0]
    monkeypatch.setattr(time_limits, "perf_counter", lambda: now[0])
    monkeypatch.setattr(time_limits, "process_time", lambda: now[1])
    effort = Effort()
    now[:] = 5.0 + clock, 3.0 + computed
    assert effort.seconds == pytest.approx(worked)


def test_the_time_limit_holds_in_another_thread_too():
    outcome = []

    def work():
        try:
            with time_limit(0.2):
                while True:
                    pass
        except Stopped:
            outcome.append("stopped")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(timeout=5)
    assert outcome == ["stopped"]


def test_a_time_limit_leaves_nothing_behind():
    for _ in range(50):
        with suppress(Stopped), time_limit(0.002):
            pass
    time.sleep(0.02)


def test_an_error_that_a_framework_makes_of_the_time_limit_is_still_the_time_limit():
    with pytest.raises(Stopped), time_limit(0.05):
        try:
            while True:
                pass
        except Stopped:
            raise RuntimeError("MISMATCH") from None


def test_slow_calls_together_are_stopped_too():
    start = time.perf_counter()
    assert "was stopped" in message(lambda x: (time.sleep(0.3), x.sum(1))[1], replace(TASK, timeout_s=1))
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("grow", [lambda: torch.ones(10**13), lambda: [bytearray(10**8) for _ in range(100)]])
def test_an_answer_that_takes_all_memory_is_told_so(grow):
    assert "more memory than an exercise may take" in message(lambda x: grow())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory is free")
def test_a_container_allows_what_its_own_limit_leaves(tmp_path, monkeypatch):
    (tmp_path / "memory.max").write_text(f"{10**9}\n")
    (tmp_path / "memory.current").write_text(f"{9 * 10**8}\n")
    monkeypatch.setattr(memory, "_CONTAINER", tmp_path)
    assert "or most of what is free" in message(lambda x: bytearray(2 * 10**8))


def test_prints_are_held_back_and_cut(capsys):
    def row_sums(x):
        for line in range(10_000):
            print("line", line)
        return x.sum(1)

    printed = judged(row_sums, TASK).printed.splitlines()
    assert printed[0] == "line 0" and len(printed) == 13
    assert printed[-1] == "(There was more; the rest is cut.)"
    assert capsys.readouterr().out == ""


def test_warnings_are_not_taken_for_prints():
    def row_sums(x):
        print("mine")
        warnings.warn("careful\nof this", stacklevel=1)
        print("to stderr", file=sys.stderr)
        return x.sum(1)

    for _ in range(2):  # Python gives a warning once for each place, a check each time
        verdict = judged(row_sums, TASK)
        assert verdict.printed == "mine"
        assert verdict.remarked == "UserWarning: careful\nto stderr"


def test_random_numbers_and_settings_are_put_back():
    def row_sums(x):
        torch.manual_seed(0), random.seed(0), np.random.seed(0)
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        logging.warning("the first one makes a handler")  # noqa: LOG015 - as learners write it
        return x.sum(1)

    def draw():
        return torch.rand(1).item(), random.random(), np.random.rand()

    torch.manual_seed(5), random.seed(5), np.random.seed(5)
    wanted = draw()
    torch.manual_seed(5), random.seed(5), np.random.seed(5)
    handlers = list(logging.root.handlers)
    judged(row_sums, TASK)
    assert draw() == wanted
    assert logging.root.handlers == handlers
    assert torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled()


def test_a_replaced_tool_is_named_and_put_back():
    clock, compare = time.perf_counter, judgement.check_correct

    def row_sums(x):
        time.perf_counter = lambda: 0.0
        judgement.check_correct = lambda *_: None
        return x.sum(1)

    told = message(row_sums)
    assert "time.perf_counter" in told and "course_utils.judging.judgement.check_correct" in told
    assert (time.perf_counter, judgement.check_correct) == (clock, compare)


@pytest.fixture
def registered(monkeypatch, tmp_path):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(store, "_in_memory", None)
    source = (
        "from dataclasses import replace\n"
        "from made_up_task import ROW_SUMS\n"
        "TASK = replace(ROW_SUMS, target=None)  # most tests need no race\n"
    )
    made_up_lessons.add(monkeypatch, tmp_path / "tasks", {"lesson_99_made_up/task_1_row_sums.py": source})


def test_check_prints_keeps_the_points_and_returns_the_verdict(registered, capsys):
    def row_sums(x):
        print("mine")
        return x.sum(1)

    assert exercises.check(row_sums).right
    out = capsys.readouterr().out
    assert out.startswith("row_sums printed:\nmine\n\n✓ correct")
    assert store.read()["tasks"]["row_sums"]["points"] == 2


def test_check_raises_the_message_and_keeps_the_try(registered, capsys):
    def row_sums(x):
        return x.sum(0)

    with pytest.raises(TaskFailed, match="shape"):
        exercises.check(row_sums)
    assert capsys.readouterr().out == "✗ correct   not yet, see below\n"
    assert store.read()["tasks"]["row_sums"]["points"] == 0


def test_hints_come_one_at_a_time(registered, capsys):
    for _ in range(3):
        exercises.hint("row_sums")
    assert capsys.readouterr().out == (
        "Hint 1 of 2: Think.\n"
        "Hint 2 of 2: Think of `sum`. (This was the last one.)\n"
        "Hint 2 of 2: Think of `sum`. (This was the last one.)\n"
    )


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (3, "this is a Python number"),
        (None, "this is None"),
        (int, "this is a class"),
        ("double", "takes the function itself, not its name: check\\(double\\)"),
        (torch.ones(2), "this is a torch tensor"),
        (lambda x: x, "has no name"),
    ],
)
def test_check_of_what_cannot_be_checked(value, says):
    with pytest.raises(exercises.CheckError, match=says):
        exercises.check(value)


def test_a_function_stands_for_its_task():
    def double(x):
        return x + x

    assert exercises.task(double) is exercises.task("double")


def test_check_of_an_unknown_name_offers_near_ones():
    def dubble(x):
        return x

    with pytest.raises(tasks.TaskMissing, match="did you mean double"):
        exercises.check(dubble)


def test_check_of_a_function_whose_name_a_decorator_hides_says_so():
    def timed(function):
        def wrapper(x):
            return function(x)

        return wrapper

    @timed
    def double(x):
        return x + x

    with pytest.raises(tasks.TaskMissing, match="no task called 'wrapper'.*if @timed stands above your function"):
        exercises.check(double)


@pytest.mark.process
def test_a_tensorflow_answer_is_judged_as_a_torch_one_is():
    # In a process of its own: one process, one framework.
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    command = [sys.executable, str(Path(__file__).with_name("tensorflow_checks.py"))]
    quiet = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=240, env=quiet)
    assert done.returncode == 0, done.stderr[-2000:]
