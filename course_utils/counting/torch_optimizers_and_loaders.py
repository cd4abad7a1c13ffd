"""Records the steps of optimizers by line, and where a `DataLoader` calls its dataset: in this process or in others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils.data import DataLoader, IterableDataset, Subset

from course_utils.counting.traffic_ledger import Recorder


@contextmanager
def recording_optimizers_and_loaders(ledger: Recorder) -> Iterator[None]:
    """Record each step and each iteration over a `DataLoader` that begins inside the block, while the ledger records."""

    def record_step(optimizer: torch.optim.Optimizer, *_: Any) -> None:
        if ledger.is_recording:
            ledger.current_line().optimizer_steps[_describe_step(optimizer)] += 1

    def record_loader(loader: Any) -> Any:
        if ledger.is_recording:
            if loader.num_workers:
                ledger.current_line().hidden_work["DataLoader"] += 1
            else:
                ledger.current_line().loaders += _calls_per_element(loader)
        return begin(loader)

    begin, hook = DataLoader.__iter__, register_optimizer_step_pre_hook(record_step)
    DataLoader.__iter__ = record_loader  # torch has no hook for it.
    try:
        yield
    finally:
        DataLoader.__iter__ = begin
        hook.remove()


def _describe_step(optimizer: torch.optim.Optimizer) -> str:
    groups = [group for group in optimizer.param_groups if not group.get("fused")]
    can_be_fused = "fused" in optimizer.defaults and groups and not any(map(_refuses_fusion, groups))
    return type(optimizer).__name__ + ", not fused" * bool(can_be_fused)


def _refuses_fusion(group: dict[str, Any]) -> bool:
    gradients = [each.grad for each in group["params"] if each.grad is not None]
    cannot_be_fused = lambda gradient: gradient.layout is not torch.strided or gradient.dtype.is_complex
    return bool(group.get("differentiable")) or any(map(cannot_be_fused, gradients))


def _calls_per_element(loader: Any) -> bool:
    dataset = loader.dataset
    # A subset, as `random_split` returns it, passes a batch of indices on, or calls its dataset once per element.
    while getattr(type(dataset), "__getitems__", None) is Subset.__getitems__:
        dataset = dataset.dataset
    makes_batches = loader.batch_sampler is not None and not isinstance(dataset, IterableDataset)
    return makes_batches and not getattr(dataset, "__getitems__", None)
