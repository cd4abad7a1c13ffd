"""Counts include every operation, eager, in a graph or in a graph's loop, and every value that Python reads."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import numpy as np
import pytest

from course_utils.counting import Counts, count

torch = pytest.importorskip("torch")

ROWS = 16


def torch_counts(function):
    return count(function, torch.arange(float(ROWS * 4)).reshape(ROWS, 4))[1]


def element_loop(x):
    result = torch.empty_like(x)
    for row in range(x.shape[0]):
        result[row] = x[row] * 2
    return result


def test_one_operation_counts_once_with_its_memory():
    size = ROWS * 4 * 4
    assert torch_counts(lambda x: x * 2) == Counts(ops=1, launches=1, bytes=size, peak=size, computations=("mul",))


def test_result_is_returned():
    result, _ = count(torch.add, torch.ones(3), 1)
    assert result.tolist() == [2.0, 2.0, 2.0]


def test_loop_over_rows_counts_operations_per_row():
    assert torch_counts(element_loop).ops > 2 * ROWS


def test_views_and_in_place_operations_allocate_nothing():
    assert torch_counts(lambda x: x.t()[1:]).bytes == 0
    assert torch_counts(lambda x: x.mul_(2)).bytes == 0


def test_freed_memory_is_counted():
    assert torch_counts(lambda x: (x + 1).sum()).bytes == ROWS * 4 * 4 + 4


def test_growth_of_an_out_tensor_is_counted():
    assert torch_counts(lambda x: torch.add(x, 1, out=torch.empty(0))).bytes == ROWS * 4 * 4


def test_peak_is_the_memory_alive_at_one_time():
    size = ROWS * 4 * 4
    assert torch_counts(lambda x: (x + 1).mul_(2).t()).peak == size
    assert (
        torch_counts(lambda x: ((x + 1) * 2).exp()).peak == 2 * size
    )  # An argument is alive until the operation ends.
    assert torch_counts(lambda x: [x + 1 for _ in range(5)]).peak == 5 * size
    assert torch_counts(lambda x: [(x + 1).sum() for _ in range(5)]).peak == size + 5 * 4
    assert torch_counts(lambda x: torch.add(x, 1, out=x)).peak == 0


def test_deleted_name_lowers_the_peak():
    def without_del(x):
        wide = torch.cat([x, x])
        narrow = wide[:1] + 1
        return narrow, torch.cat([x, x])

    def with_del(x):
        wide = torch.cat([x, x])
        narrow = wide[:1] + 1
        del wide
        return narrow, torch.cat([x, x])

    assert torch_counts(without_del).peak - torch_counts(with_del).peak == 2 * ROWS * 4 * 4


def test_tensors_for_a_gradient_stay_alive():
    weight = torch.ones(4, requires_grad=True)
    forward = lambda x: (x * weight).exp().sin().sum()
    assert torch_counts(forward).peak > torch_counts(torch.no_grad()(forward)).peak


def test_inference_mode_counts_the_operations_inside_a_layer():
    model, x = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.LayerNorm(8)), torch.ones(4, 8)
    in_mode = lambda mode: count(mode()(lambda: torch.einsum("ij,kj->ik", model(x), x)))[1]
    assert in_mode(torch.inference_mode) == in_mode(torch.no_grad)


@pytest.mark.slow
def test_one_checkpoint_around_all_blocks_does_not_lower_the_peak():
    from torch.utils.checkpoint import checkpoint

    # Lesson 08 states this below its practice: only one checkpoint per block lowers the peak of a step.
    blocks = [torch.nn.Sequential(torch.nn.Linear(8, 64), torch.nn.Tanh(), torch.nn.Linear(64, 8)) for _ in range(12)]
    weights = [weight for block in blocks for weight in block.parameters()]
    x = torch.ones(512, 8)

    def peak_of_step(forward):
        return count(lambda: torch.autograd.grad(forward(x).sum(), weights))[1].peak

    def checkpoint_each(x):
        for block in blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return x

    network = torch.nn.Sequential(*blocks)
    assert peak_of_step(checkpoint_each) < 0.5 * peak_of_step(network)
    assert peak_of_step(lambda x: checkpoint(network, x, use_reentrant=False)) >= peak_of_step(network)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: ((x[:, None] - x) ** 2).sum(2).argmin(1),
        lambda x: torch.stack([row.exp() for row in x]),
        lambda x: (x @ x.T).softmax(1) @ x,
        lambda x: torch.cdist(x, x).topk(3).indices,
    ],
    ids=["pairs", "stack", "attention", "nearest"],
)
def test_peak_agrees_with_torchs_allocator(function):
    """The two differ only by memory that an operation allocates internally, which is small here."""
    x = torch.rand(64, 8)
    function(x)  # torch allocates some memory only once.
    with torch.profiler.profile(profile_memory=True) as profiler:
        result = function(x)
    held = most = 0
    for event in profiler.profiler.kineto_results.events():
        if event.name() == "[memory]":
            held += event.nbytes()
            most = max(most, held)
    counted = count(function, x)[1].peak
    assert counted <= most <= 1.15 * counted + 4096, (counted, most)
    del result


def test_data_from_python_is_counted():
    assert torch_counts(lambda x: torch.tensor([1.0, 2.0])).bytes == 8


def test_conversion_of_an_array_is_no_sync():
    counts = torch_counts(lambda x: x * torch.from_numpy(np.full(4, 2.0)))
    assert (counts.syncs, counts.sync_causes) == (0, ())


@pytest.mark.parametrize(
    ("read", "cause"),
    [
        (lambda x: x[0, 0].item(), ".item()"),
        (lambda x: float(x[0, 0]), "float()"),
        (lambda x: 1 if x[0, 0] > 0 else 2, "a branch on a tensor"),
        (lambda x: x.tolist(), ".tolist()"),
        (lambda x: x.numpy(), ".numpy()"),
        (lambda x: __import__("numpy").asarray(x), "NumPy on a tensor"),
        (lambda x: str(x), "print()"),
        (lambda x: f"{x}", "print()"),
        (lambda x: f"{x[0, 0]:.3f}", "an f-string"),
    ],
)
def test_each_read_is_one_sync_with_its_cause(read, cause):
    counts = torch_counts(read)
    assert (counts.syncs, counts.sync_causes) == (1, (cause,))


@pytest.mark.parametrize(
    ("function", "syncs"),
    [
        (lambda x: x[x > 3], 1),
        (lambda x: x[torch.tensor([0, 2])], 0),
        (lambda x: x.masked_fill(x > 3, 0), 0),
        (lambda x: x.clone().__setitem__(x > 3, 0.0), 0),
        (lambda x: torch.nonzero(x), 1),
        (lambda x: torch.unique(x), 1),
        (lambda x: torch.equal(x, x), 1),
        (lambda x: torch.where(x > 3, x, 0.0), 0),
    ],
)
def test_value_dependent_shape_is_a_sync(function, syncs):
    assert torch_counts(function).syncs == syncs


def test_reading_every_element_is_one_sync_per_element():
    assert torch_counts(lambda x: sum(float(value) for value in x.flatten())).syncs == ROWS * 4


@pytest.mark.parametrize(
    ("function", "transfers"),
    [
        (lambda x: x.to("cpu"), 1),
        (lambda x: x.to(x.device, torch.float64, non_blocking=True), 1),
        (lambda x: x.to(device="cpu"), 1),
        (lambda x: x.to(torch.ones(2)), 1),
        (lambda x: x.cpu().to("meta"), 2),
        (lambda x: torch.tensor([1.0], device="cpu"), 1),
        (lambda x: torch.as_tensor(x, device=x.device), 1),
        (lambda x: torch.nn.Linear(2, 2).to("cpu"), 2),
        (lambda x: x.to(torch.float64), 0),
        (lambda x: x.to(torch.float64, True), 0),
        (lambda x: torch.tensor([1.0]) + torch.zeros(3, device="cpu"), 0),
    ],
)
def test_request_for_a_device_is_a_transfer_wherever_the_tensor_is(function, transfers):
    assert torch_counts(function).transfers == transfers


def test_backward_pass_is_counted():
    def gradient(x):
        x = x.clone().requires_grad_()
        (x * x).sum().backward()
        return x.grad

    assert torch_counts(gradient).ops > torch_counts(lambda x: (x * x).sum()).ops


def test_error_passes_through_and_ends_the_count():
    with pytest.raises(ValueError, match="mine"):
        count(lambda: (_ for _ in ()).throw(ValueError("mine")))
    assert torch_counts(lambda x: x + 1).ops == 1


def test_tensor_written_through_a_mask_is_a_sync():
    def mask(x, value):
        x = x.clone()
        x[x > 3] = value
        return x

    assert torch_counts(lambda x: mask(x, x.mean())).sync_causes == ("a tensor written through a mask",)
    assert torch_counts(lambda x: mask(x, 0.0)).syncs == 0


def test_tensor_built_from_tensors_is_one_sync_per_value():
    for build in (
        torch.tensor,
        torch.zeros(1).new_tensor,
        lambda sums: torch.zeros(ROWS, 2)[:, [each.long() for each in sums]],
    ):
        built = torch_counts(lambda x, build=build: build([0 * row.sum() for row in x]))
        assert built.sync_causes == ("a list of tensors, read one by one",)
        assert built.syncs == ROWS
    assert torch_counts(lambda x: torch.Tensor([row.sum() for row in x])).syncs == ROWS
    assert torch_counts(lambda x: torch.tensor([1.0, 2.0])).syncs == 0


def test_operation_on_a_list_counts_once_per_tensor():
    assert torch_counts(lambda x: torch._foreach_add(x.unbind(), 1.0)).ops_without_views == ROWS


def test_conversion_to_sparse_is_a_sync():
    assert torch_counts(lambda x: x.to_sparse()).syncs == 1


def test_python_loop_inside_an_operation_is_a_sync():
    assert torch_counts(lambda x: x.clone().apply_(lambda value: 2 * value)).sync_causes == (".apply_()",)
    assert torch_counts(lambda x: x.clone().map_(x, lambda a, b: a + b)).sync_causes == (".map_()",)


def test_vmap_is_no_sync():
    assert torch_counts(lambda x: torch.vmap(lambda row: 2 * row)(x)).syncs == 0


def test_started_threads_and_processes_are_counted():
    def in_threads(x):
        with ThreadPoolExecutor(2) as pool:
            return torch.stack(list(pool.map(torch.exp, x)))

    def in_a_process(x):
        multiprocessing.Process(target=list).start()
        return 2 * x

    assert torch_counts(in_threads).threads > 0
    with patch("multiprocessing.process.BaseProcess.start"):  # The process need not run.
        assert torch_counts(in_a_process).threads > 0
    assert torch_counts(torch.exp).threads == 0
