"""On the GPU, kernels give the interpreter's results, and the real allocator holds as much as its replay predicts."""

from __future__ import annotations

from typing import Any

import pytest

from course_utils import compare, count, in_new_process, replay
from course_utils.frameworks import triton_internals

MIB = 2**20
needs_triton = pytest.mark.skipif(not triton_internals.is_usable(), reason="Triton is not installed, or is too old")


@needs_triton
def test_kernel_runs_on_the_gpu_between_two_runs_in_the_interpreter(cuda: str) -> None:
    import sample_kernels
    import torch

    x = torch.rand(1000)
    for device in ("cpu", cuda, "cpu", cuda):
        for program, block in ((sample_kernels.double_program, 128), (sample_kernels.methods_program, 1024)):
            result, counts = count(sample_kernels.launch, program, x.to(device), block)
            torch.testing.assert_close(result.cpu(), sample_kernels.launch(program, x, block))
            assert counts.kernels == (device == "cpu")


@needs_triton
def test_kernel_is_timed_on_the_gpu(cuda: str) -> None:
    import sample_kernels
    import torch

    x = torch.rand(2**20, device=cuda)
    own = lambda x: sample_kernels.launch(sample_kernels.double_program, x, 1024)
    measured = compare({"one operation": lambda x: 2 * x, "own kernel": own}, (x,), device=cuda, budget_s=2.0)
    assert not measured.errors
    assert 0 < measured.median_s("own kernel") < 0.1


def bytes_after(trace: list[Any]) -> list[int]:
    """Return the bytes that PyTorch's allocator holds and the living tensors use, after the events of a trace."""
    import torch

    living = {}
    for action, name, size in trace:
        if action == "alloc":
            living[name] = torch.empty(size, dtype=torch.uint8, device="cuda")
        else:
            del living[name]
    return [torch.cuda.memory_reserved(), torch.cuda.memory_allocated()]


def growing(number: int) -> list[tuple[str, str, int]]:
    trace = [("alloc", "t0", 11 * MIB)]
    for i in range(1, number):
        trace += [("alloc", f"t{i}", (11 + 2 * i) * MIB), ("free", f"t{i - 1}", 1)]
    return trace


def mixed() -> list[tuple[str, str, int]]:
    sizes = [700_000, 3 * MIB, 100, 2**20, 2**20 + 1, 9 * MIB, 10 * MIB, 15 * MIB, 513, 4 * MIB]
    trace = [("alloc", f"t{i}", size) for i, size in enumerate(sizes)]
    trace += [("free", f"t{i}", sizes[i]) for i in (1, 5, 4, 0, 7)]
    return trace + [("alloc", f"u{i}", size) for i, size in enumerate([2 * MIB, 13 * MIB, 300_000, 5 * MIB])]


@pytest.mark.parametrize("expandable", [False, True])
@pytest.mark.parametrize("trace", [growing(8), mixed()], ids=["growing", "mixed"])
def test_allocator_holds_what_the_replay_says(cuda: str, trace: list[tuple[str, str, int]], expandable: bool) -> None:
    setting = f"expandable_segments:{expandable}"
    held, used = in_new_process(bytes_after, trace, environment={"PYTORCH_CUDA_ALLOC_CONF": setting})
    replayed = replay(trace, expandable)
    assert held == replayed.held
    assert replayed.requested <= used <= held
