"""The step unlooped: counting reveals loops, waits, transfers and memory."""

import re
from dataclasses import replace

import pytest

from course_utils.tasks import Case
from course_utils.tasks.at_most import at_most

torch = pytest.importorskip("torch")

from judge_sample_task import TASK, judge_answer, message
from sample_task import normal, row_sums_slow


def test_slow_loop_that_fails_only_at_a_counted_size_is_named():
    def fail_at_300_rows(x):
        if len(x) == 300:
            raise ValueError("the setting has changed")
        return x.sum(1)

    verdict = judge_answer(lambda x: x.sum(1), replace(TASK, slow=fail_at_300_rows, mistakes=(), count_sizes=(4, 300)))
    assert verdict.lines[-1].name == "unlooped"
    assert "For a random input of size 300, even the slow loop returns no result: " in verdict.message


@pytest.mark.slow
def test_counting_reveals_loops():
    looping = judge_answer(row_sums_slow)
    assert looping.lines[-1].name == "unlooped" and "the number grows with the input" in looping.message
    assert re.search(r"Size \d+ takes [\d,]+ tensor operations, size \d+ takes [\w ]*\d", looping.message)
    assert "grows" in message(lambda x: torch.stack([row.sum() for row in x]) if len(x) else x.sum(1))
    assert "at most 4 are allowed. Each operation counts" in message(lambda x: x.sum(1) * 2 / 2 * 2 / 2)
    assert ".tolist() hands a tensor's values to Python" in message(
        lambda x: torch.tensor([sum(row) for row in x.double().tolist()], dtype=x.dtype, device=x.device)
    )
    assert "Python waits for values" in message(lambda x: x.sum(1) if x.numel() == 0 or x[0, 0] < torch.inf else None)
    assert "remove the print" in message(lambda x: (str(x), x.sum(1))[1])
    assert "bytes" in message(lambda x: (x.repeat(9, 1)[: len(x)]).sum(1))


def test_a_loop_over_the_input_is_blamed_only_for_growth_that_it_explains():
    def row_sums(x):
        for _ in range(100 + len(x)):  # such as the steps of the slowest row
            result = x.sum(1)
        return result

    assert "takes 104 tensor operations, size 16 takes 116; at most 4 are allowed. Each operation" in message(row_sums)


@pytest.mark.slow
def test_counting_at_the_larger_size_ends_when_the_number_has_clearly_grown():
    task = replace(TASK, count_sizes=(4, 500))
    assert "size 500 takes more than 150: the number grows" in message(row_sums_slow, task)
    # Views don't count as operations, and the loop over rows may begin after many of them.
    after_views = lambda x: (row_sums_slow(x), [x[:1] for _ in range(20)])[0]
    assert "size 500 takes more than 150: the number grows" in message(after_views, task)


@pytest.mark.parametrize("dtypes", [{}, {"x": ("float64", "int64")}])
def test_a_loop_for_other_dtypes_is_counted(dtypes):
    def row_sums(x):
        return x.sum(1) if x.dtype == torch.float32 else row_sums_slow(x)

    text = message(row_sums, replace(TASK, dtypes=dtypes))
    assert re.match(
        r"For (float64 values|x of dtype float64): Size 16 takes \d+ tensor operations; at most 4 are", text
    )


@torch.jit.script
def _scripted_row_sums(x: torch.Tensor):
    sums = torch.empty_like(x[:, 0])
    for i in range(x.size(0)):
        sums[i] = x[i].sum()
    return sums


@pytest.mark.slow
def test_torchscript_loop_that_is_stopped_is_called_a_loop():
    task = replace(TASK, limits=(at_most(100, "ops"),), count_sizes=(4, 2600))
    text = message(lambda x: _scripted_row_sums(x) if x.numel() else x.sum(1), task)
    assert text.endswith("was stopped after 5,000 tensor operations; does a loop over the values remain?")


def test_transfers_are_limited_if_the_task_asks():
    limits = at_most(4, "ops"), at_most(0, "syncs"), at_most(1, "transfers")
    task = replace(TASK, slow=lambda x, device: x.to(device) * 2, limits=limits, mistakes=(), edge_cases=())
    task = replace(task, inputs=lambda size, generator: (*TASK.inputs(size, generator), "cpu"))
    assert "at most 1 transfer" in judge_answer(lambda x, device: x.to(device) * 2, task).lines[1].text
    text = message(lambda x, device: x.to(device) * torch.tensor(2.0, device=device), task)
    assert "requests 2 transfers; at most 1 is allowed." in text and "Before the loop" in text


@pytest.mark.slow
def test_task_decides_whether_python_may_wait():
    def asking(x):
        return x.sum(1) if x.numel() == 0 or x[0, 0] < torch.inf else None

    def in_lists(x):
        return torch.tensor([sum(row) for row in x.double().tolist()], dtype=x.dtype, device=x.device)

    assert judge_answer(asking, replace(TASK, limits=(at_most(4, "ops"),))).right
    assert "Python waits for values once at size 4" in message(asking, replace(TASK, limits=(at_most(0, "syncs"),)))
    assert judge_answer(asking, replace(TASK, limits=(at_most(1, "syncs"),))).right
    assert judge_answer(in_lists, replace(TASK, limits=(at_most(4, "ops"),))).right
    text = message(in_lists, replace(TASK, limits=(at_most(1000, "syncs"),)))
    assert (
        ".tolist() hands a tensor's values to Python" in text
    )  # a whole tensor may not come to Python, even if the task allows waits


def test_memory_limit_is_named_if_it_is_the_only_one():
    in_proportion, at_a_number = at_most(lambda x: 10**6, "bytes", "a million"), at_most(10**6, "bytes")
    no_wait = at_most(0, "syncs")
    for limits, text in (
        ((in_proportion, no_wait), "memory within its limit"),
        ((at_most(4, "ops"), in_proportion, no_wait), "at most 4 tensor operations"),
        ((at_most(4, "ops"), at_a_number), "at most 4 tensor operations, at most 1,000,000 bytes"),
        ((no_wait,), "no synchronization"),
    ):
        assert judge_answer(lambda x: x.sum(1), replace(TASK, limits=limits)).lines[1].text == text


def test_peak_bytes_have_their_own_limit():
    at_once = at_most(
        lambda x: 4 * len(x) + 3 * x[0].nbytes + 64, "peak bytes", "the result and a row"
    )  # the result and a row
    task = replace(TASK, limits=(at_most(1000, "ops"), at_once))

    def a_row_at_a_time(x):
        sums = torch.zeros(len(x), dtype=x.dtype, device=x.device)
        for i, row in enumerate(x):
            sums[i] = (row * 2).sum() / 2  # in total this allocates as much as one large tensor
        return sums

    verdict = judge_answer(a_row_at_a_time, task)
    assert "peak memory within its limit" in verdict.lines[1].text and verdict.right
    text = message(lambda x: (x * 2).sum(1) / 2, task)
    assert "bytes of new tensors are alive at one time; at most" in text and "release each part" in text


def test_answer_that_ignores_its_device_is_refused_without_an_accelerator():
    elsewhere = Case("a device without values", lambda generator: (*normal(2, 3)(generator), "meta"))
    limits = at_most(4, "ops"), at_most(0, "syncs")
    task = replace(TASK, slow=lambda x, device: x.to(device) * 2, limits=limits, mistakes=(), edge_cases=(elsewhere,))
    task = replace(task, inputs=lambda size, generator: (*TASK.inputs(size, generator), "cpu"))
    assert judge_answer(lambda x, device: x.to(device) + x.to(device), task).right
    assert "the result is on cpu; expected meta" in message(lambda x, device: x * 2, task)
    assert "has shape" in message(lambda x, device: (x if device == "cpu" else x[0]).to(device) * 2, task)
