"""PyTorch's allocator on the GPU holds as much as its replay predicts."""

from __future__ import annotations

from typing import Any

import pytest

from course_utils import in_new_process, replay

MIB = 2**20


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
