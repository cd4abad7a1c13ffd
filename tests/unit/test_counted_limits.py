"""What a limit counts: views are free, waits inside operations have names, and hidden memory is measured."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from course_utils.tasks.at_most import at_most

torch = pytest.importorskip("torch")

from judge_sample_task import TASK, judge_answer, message
from torch.utils._python_dispatch import TorchDispatchMode

from course_utils.counting import Counts, count

NO_SYNCS = replace(TASK, limits=(at_most(0, "syncs"),))


def with_many_views(x):
    for _ in range(30):
        x = x.T[:, None].squeeze(1).expand_as(x.T)
    return x.sum(1)


def test_views_are_free():
    counts = count(with_many_views, torch.ones(4, 5))[1]
    assert counts.ops > 100 and counts.ops_without_views == 1
    assert judge_answer(with_many_views, replace(TASK, limits=(at_most(1, "ops"),))).right


def test_unbind_and_split_are_views():
    counts = count(lambda x: [*x.unbind(), *x.split(1)], torch.ones(4, 5))[1]
    assert counts.ops_without_views == 0
    assert (counts.view_ops, counts.views) == (2, 8)


def read_below_the_api(x):
    with torch._C.DisableTorchFunction():
        return x.sum().item()


@pytest.mark.parametrize(
    ("wait", "says"),
    [
        (lambda x: x[x > 0], "x[mask] waits for the number of values that the mask picks"),
        (lambda x: torch.equal(x, x), "(torch.equal); none is allowed. torch.equal waits inside"),
        (lambda x: x.nonzero(), "torch.nonzero waits inside"),
        (lambda x: torch.nn.functional.one_hot(x.long().abs()), "torch.one_hot waits inside"),
        (lambda x: x.histc(4), "torch.histc waits inside"),
        (lambda x: x.repeat_interleave(x.long().abs().flatten()[: len(x)], 0), "torch.repeat_interleave waits inside"),
        (lambda x: f"{x.sum():.4f}", "(an f-string)"),
        (lambda x: x.sum().item(), "(.item())"),
        (lambda x: torch.ops.aten._local_scalar_dense(x.sum()), "(.item())"),
        (read_below_the_api, "(.item())"),
        (lambda x: range(x.sum().long().abs()), "range(n) or values[n] with a tensor n"),
    ],
)
def test_a_synchronization_has_the_name_of_its_cause(wait, says):
    def row_sums(x):
        wait(x)
        return x.sum(1)

    assert says in message(row_sums, NO_SYNCS)


def test_what_is_only_checked_on_a_cpu_waits_for_nothing():
    def row_sums(x):
        torch.quantile(torch.ones(3), 0.5)
        torch.nanquantile(torch.ones(3), 0.5)
        torch.histc(x, 4, max=1)
        torch.nn.functional.one_hot(x.long().clamp(0, 9), num_classes=100)
        torch.nn.functional.one_hot(x.long().clamp(0, 9), 100)
        return x.sum(1)

    assert judge_answer(row_sums, NO_SYNCS).right


def test_repetitions_of_a_known_total_wait_for_nothing():
    def row_sums(x):
        x.repeat_interleave(torch.ones(len(x), dtype=torch.int64, device=x.device), 0, output_size=len(x))
        return x.sum(1)

    assert judge_answer(row_sums, NO_SYNCS).right


def test_a_bare_data_pointer_is_named_as_an_access_to_memory():
    text = message(lambda x: (x.data_ptr(), x.sum(1))[1], NO_SYNCS)
    assert ".data_ptr() opens a tensor's memory to code that cannot be counted" in text
    text = message(lambda x: (x.untyped_storage(), x.sum(1))[1], NO_SYNCS)
    assert ".untyped_storage() opens a tensor's memory" in text


def test_a_custom_operator_is_refused():
    library = torch.library.Library("unloop_tests", "DEF")
    library.define("loop(Tensor x) -> Tensor")
    library.impl("loop", lambda x: torch.from_numpy(x.numpy().sum(1)), "CPU")
    assert "the custom operator unloop_tests::loop cannot be counted" in message(torch.ops.unloop_tests.loop.default)


def test_work_in_threads_that_run_already_is_refused():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        text = message(lambda x: pool.submit(torch.sum, x, 1).result())
    assert "runs code in other threads or processes, such as an input pipeline's, where it cannot be counted" in text


def test_memory_inside_an_operation_counts_at_its_peak():
    task = replace(
        TASK,
        slow=lambda x: torch.stack([row.exp().sum().log() for row in x]) if len(x) else x.sum(1),
        edge_cases=(),
        mistakes=(),
        count_sizes=(64, 128),
        limits=(at_most(lambda x: x.nbytes // 2 + 4096, "peak bytes", "half of `x`"),),
    )
    text = message(lambda x: torch.logsumexp(x, 1), task)
    assert re.search(r"torch.logsumexp allocates [\d,]+ bytes for itself while it runs", text)
    in_parts = lambda x: torch.cat([torch.logsumexp(part, 1) for part in x.chunk(4)]) if len(x) else x.sum(1)
    assert judge_answer(in_parts, task).right
    kept = {}

    def with_a_kept_tensor(x):
        if len(x) in task.count_sizes and len(x) not in kept:
            kept[len(x)] = x.new_zeros(x.shape)
        return in_parts(x)

    text = message(with_a_kept_tensor, task)
    assert "no operation frees the rest when it ends: the function keeps a tensor from one call to the next" in text


def test_operations_are_named_before_bytes():
    limits = at_most(10, "bytes"), at_most(2, "ops")
    assert "tensor operations" in message(lambda x: torch.stack([row.sum() for row in x]), replace(TASK, limits=limits))


@pytest.mark.slow
def test_a_compiled_answer_is_judged_by_the_memory_that_its_compiled_code_allocates():
    limit = at_most(lambda x: 8 * len(x), "bytes", "the bytes of the result")
    assert limit.rule("torch").endswith("The memory that compiled code allocates at run time counts, too.")
    compiled = torch.compile(lambda x: (2 * x).sum(1) / 2, backend="eager")
    text = message(compiled, replace(TASK, edge_cases=(), limits=(limit,)))
    assert "At size 4, one call allocates" in text and "at most 32 are allowed (the bytes of the result)" in text


def test_a_loop_of_few_operations_is_judged_by_their_number_alone():
    line = judge_answer(
        lambda x: sum(x.unbind(1)) if len(x) else x.sum(1), replace(TASK, limits=(at_most(99, "ops"),))
    ).lines[1]
    assert line.text == "at most 99 tensor operations"


def test_operations_that_do_not_grow_are_not_called_needless():
    def row_sums(x):
        for _ in range(5):
            x = x.clone()
        return x.sum(1)

    assert message(row_sums).endswith(
        "at most 4 are allowed. Each operation counts, also in a loop whose length does not follow the size and inside a "
        "function that you call."
    )


def test_operations_that_hardly_grow_show_no_loop_over_the_input():
    counted = {8: Counts(ops=584, launches=584), 32: Counts(ops=671, launches=671)}
    assert "at most 600 are allowed. Each operation counts" in at_most(600, "ops").after_all("walks", counted)


def test_memory_is_counted_on_inputs_that_need_gradients():
    task = replace(
        TASK,
        slow=lambda x: torch.stack([torch.stack([max(each, 0 * each) for each in row]) for row in x]),
        inputs=lambda size, generator: (torch.from_numpy(generator.standard_normal((size, size))),),
        edge_cases=(),
        mistakes=(),
        sizes=(1, 3),
        limits=(at_most(lambda x: x.nbytes, "bytes", "the bytes of `x`"),),
    )
    in_place = lambda x: (x + 0).clamp_min_(0)  # autograd clones what clamp_min_ overwrites
    assert judge_answer(in_place, task).right
    assert "are allowed (the bytes of `x`)" in message(in_place, replace(task, gradients=True))
    assert judge_answer(lambda x: x.relu(), replace(task, gradients=True)).right


needs_counted_operators = pytest.mark.skipif(
    not hasattr(TorchDispatchMode, "supports_higher_order_operators"),
    reason="this PyTorch refuses higher-order operators while operations are counted",
)


@needs_counted_operators
def test_what_a_higher_order_operator_runs_is_not_counted():
    mapped = lambda x: torch.ops.higher_order.map_impl(lambda row: (row.sum(),), (x,), ())[0] if x.numel() else x.sum(1)
    assert "inside the higher-order operator map_impl cannot be counted" in message(mapped, NO_SYNCS)


@needs_counted_operators
def test_the_chosen_branch_of_cond_is_counted_and_choosing_it_waits():
    chosen = lambda x: torch.ops.higher_order.cond(
        (x < torch.inf).all(), lambda x: (x.sum(1) * 1,), lambda x: (x[0], x[1], x[2]), (x,)
    )[0]
    assert judge_answer(chosen, replace(TASK, limits=(at_most(4, "ops"),))).right
    assert "Size 4 takes 4 tensor operations" in message(chosen, replace(TASK, limits=(at_most(3, "ops"),)))
    assert "(torch.cond); none is allowed. torch.cond waits inside" in message(chosen, NO_SYNCS)
