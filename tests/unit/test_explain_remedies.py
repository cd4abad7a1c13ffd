"""The remedies that `explain` prints help, or ask for a comparison: they never name what the code already does."""

import multiprocessing
from types import SimpleNamespace

import pytest
import torch
from load_tolerance import in_one_of_three_attempts
from sample_limits import PEAKS
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, Dataset, Subset

from course_utils import explain, limits
from course_utils.counting.line_tally import LineTally
from course_utils.counting.torch_optimizers_and_loaders import recording_optimizers_and_loaders
from course_utils.explaining import profiler


@pytest.fixture(autouse=True)
def known_limits(monkeypatch):
    """Let `explain` measure no limits."""
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.3)


RNN, OUT = nn.GRU(16, 16, batch_first=True), nn.Linear(16, 4)


def recurrent_step(x):
    hidden, _ = RNN(x)
    loss = OUT(hidden).square().mean()
    loss.backward()


def mostly_linear_step(x):
    hidden, _ = RNN(x)
    linear_step(hidden[:, 0])


def linear_step(x):
    for _ in range(20):
        x = torch.tanh(OUT(x)) @ OUT.weight
    x.sum().backward()


def test_torch_compile_does_not_compile_a_recurrent_module():
    from torch._dynamo.testing import CompileCounter  # Its import takes seconds.

    counter = CompileCounter()
    torch.compile(RNN, backend=counter)(torch.randn(2, 5, 16))
    assert counter.frame_count == 0


@pytest.mark.slow
@in_one_of_three_attempts
def test_the_remedy_for_a_recurrent_module_is_no_compiler():
    lines = explain(recurrent_step, torch.randn(4, 40, 16)).lines
    for source in ("RNN(x)", "loss.backward()"):
        (line,) = (each for each in lines if source in each.source)
        assert line.reason == "launches", line
        assert "`torch.compile` does not compile" in line.advice and "more sequences" in line.advice, line
    (line,) = (each for each in explain(linear_step, torch.randn(4, 16)).lines if "backward()" in each.source)
    assert "compile the forward pass" in line.advice, line


@pytest.mark.slow
@in_one_of_three_attempts
def test_only_a_recurrent_module_that_takes_the_time_is_named():
    (line,) = (each for each in explain(mostly_linear_step, torch.randn(4, 1, 16)).lines if "backward()" in each.source)
    assert line.reason == "launches" and "GRU" not in line.advice, line


class Squares(Dataset):
    def __init__(self, number):
        self.rows = torch.randn(number, 8)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index] ** 2


class SquaresByBatch(Squares):
    def __getitems__(self, indices):
        return list(self.rows[indices] ** 2)


def epoch(loader):
    total = 0.0
    for rows in loader:
        total += rows.sum()
    return total


@in_one_of_three_attempts
def test_the_remedy_for_a_loader_names_its_dataset_and_workers():
    (line,) = (each for each in explain(epoch, DataLoader(Squares(400), 20)).lines if "in loader" in each.source)
    assert "`__getitem__` once per element" in line.advice and "`num_workers=2`" in line.advice, line
    batches = BatchSampler(range(400), 20, drop_last=False)
    (line,) = (
        each
        for each in explain(epoch, DataLoader(Squares(400), sampler=batches, batch_size=None)).lines
        if "in loader" in each.source
    )
    assert "once per element" not in line.advice, line


@pytest.mark.parametrize(("kind", "number"), [(Squares, 1), (SquaresByBatch, 0)])
def test_a_loader_of_a_subset_calls_the_whole_dataset_as_often(kind, number):
    tally = LineTally()
    with recording_optimizers_and_loaders(SimpleNamespace(is_recording=True, current_line=lambda: tally)):
        for dataset in (kind(9), Subset(kind(9), range(4)), Subset(Subset(kind(9), range(4)), [1, 2])):
            next(iter(DataLoader(dataset, 2)))
    assert tally.loaders == 3 * number


def test_no_loader_is_recorded_after_an_error():
    begin = DataLoader.__iter__
    with pytest.raises(ValueError), recording_optimizers_and_loaders(SimpleNamespace(is_recording=False)):
        assert DataLoader.__iter__ is not begin
        raise ValueError
    assert DataLoader.__iter__ is begin


@pytest.mark.slow
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system forks no process")
def test_a_line_that_waits_for_the_processes_of_a_loader_has_no_reason_in_this_process():
    loader = DataLoader(Squares(400), 20, num_workers=1, multiprocessing_context="fork")
    (line,) = (each for each in explain(epoch, loader).lines if "in loader" in each.source)
    assert line.reason == "unknown" and "`num_workers`" in line.advice, line


def test_no_advice_fuses_a_step_on_sparse_gradients():
    table = nn.Embedding(1000, 16, sparse=True)
    table(torch.arange(9)).sum().backward()
    optimizer = torch.optim.SGD(table.parameters())

    def train():
        optimizer.step()

    assert not any("fused=True" in line.advice for line in explain(train).lines)


def test_a_step_on_complex_numbers_has_no_fused_version():
    tally, numbers = LineTally(), nn.Parameter(torch.ones(2, dtype=torch.complex64))
    numbers.grad = torch.ones_like(numbers)
    with recording_optimizers_and_loaders(SimpleNamespace(is_recording=True, current_line=lambda: tally)):
        torch.optim.Adam([numbers]).step()
    assert tally.optimizer_steps == {"Adam": 1}


@pytest.mark.slow
@pytest.mark.parametrize("is_compiled", [False, True])
def test_the_remedy_for_a_compiled_optimizer_step_counts_no_passes_that_the_compiler_has_fused(is_compiled):
    layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(20))
    for parameter in layers.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer = torch.optim.AdamW(layers.parameters())

    def update():
        optimizer.step()

    step = torch.compile(update, backend="eager") if is_compiled else update

    def train():
        step()

    advice = [line.advice for line in explain(train).lines if "`fused=True`" in line.advice]
    assert advice
    assert all(("several passes" in each) != is_compiled for each in advice), advice
    assert all(("uncompiled step" in each) == is_compiled for each in advice), advice


@pytest.mark.slow
@pytest.mark.parametrize("layout", [torch.channels_last, torch.contiguous_format])
@in_one_of_three_attempts
def test_the_remedy_for_a_convolution_compares_both_layouts(layout):
    convolve = nn.Conv2d(32, 64, 3).to(memory_format=layout)
    advice = explain(lambda x: convolve(x), torch.randn(8, 32, 64, 64).to(memory_format=layout)).costliest.advice
    assert "Compare the layouts" in advice and str(layout) in advice, advice


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x.abs() <= 100)


@pytest.mark.slow
def test_a_line_without_time_of_its_own_has_no_reason():
    @torch.compile(backend="aot_eager")
    def loss_of(x):
        return Round.apply(x * 3).square().sum()

    def step(x):
        loss_of(x).backward()

    lines = explain(step, torch.randn(50, 50, requires_grad=True)).lines
    assert {line.reason for line in lines if not line.seconds} <= {"unknown"}
