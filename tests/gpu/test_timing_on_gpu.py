"""On the GPU, the stopwatch agrees with `torch.utils.benchmark`, hides no launches, and keeps its budget."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import pytest

from course_utils import timing
from course_utils.timing import compare


def seconds(device: str, function: Callable[[], object], calls: int) -> float:
    """Return the seconds per call by the course's stopwatch: the fastest of five blocks."""
    watch = timing.stopwatch(device)
    for _ in range(3):
        watch.block(function, (), calls)
    return min(watch.block(function, (), calls) / calls for _ in range(5))


def least_wall_s(function: Callable[[], object]) -> float:
    """Return the seconds of the fastest of 50 calls by the host's clock."""
    times = []
    for _ in range(50):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


@pytest.mark.parametrize("work", ["product", "copy"])
def test_long_calls_take_as_long_as_torch_benchmark_says(cuda: str, work: str) -> None:
    import torch
    from torch.utils.benchmark import Timer

    side, size = 4096, 2**28  # a millisecond or more, so that a cold start and a launch do not matter
    a = torch.rand(side, side, device=cuda) if work == "product" else torch.rand(size, device=cuda)
    statement = "a @ a" if work == "product" else "a.clone()"
    function: Callable[[], object] = (lambda: a @ a) if work == "product" else a.clone
    expected = Timer(statement, globals={"a": a}).blocked_autorange(min_run_time=1.0).median
    assert seconds(cuda, function, 20) == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize("count", [1, 8, 64, 512])
def test_time_of_launches_is_not_hidden(device: str, count: int) -> None:
    import torch

    x = torch.ones(1, device=device)
    watch = timing.stopwatch(device)

    def launch() -> None:
        for _ in range(count):
            x.neg_()

    flush_and_waits_s = least_wall_s(lambda: watch.block(lambda: None, (), 1))
    call_s = least_wall_s(lambda: watch.block(launch, (), 1)) - flush_and_waits_s
    assert seconds(device, launch, 50) >= 0.5 * call_s


@pytest.mark.parametrize("count", [3_000, 300_000])
def test_work_of_python_counts(device: str, count: int) -> None:
    assert seconds(device, lambda: sum(range(count)), 20) >= 0.8 * least_wall_s(lambda: sum(range(count)))


@pytest.mark.parametrize("count", [100, 2_000, 20_000])
def test_comparison_keeps_its_budget(device: str, count: int) -> None:
    import torch

    x = torch.ones(1, device=device)
    contenders = {
        "loop": lambda: [x.neg_() for _ in range(count)],
        "one": x.neg_,
        "four": lambda: [x.neg_() for _ in "four"],
    }
    result = compare(contenders, device=device, budget_s=1.4)
    assert result.elapsed_s < 2 * 1.4
    assert result.verdict("one") == "faster" and result.rounds("one") >= 9


def test_tensors_on_the_gpu_are_timed_there(cuda: str) -> None:
    import torch

    assert compare({"negative": torch.neg}, (torch.ones(1, device=cuda),), budget_s=0.2).device == cuda
