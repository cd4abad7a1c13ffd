"""Turns off and restores torch's permission to compute float32 in TF32, in both generations of its settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


@contextmanager
def full_precision(torch: ModuleType) -> Iterator[None]:
    """Compute convolutions and matrix products of float32 in float32 inside the block.

    Both generations are set. With only one of them, a choice that the learner made through the other would stay in
    force or become unreadable.
    """
    cudnn, operators = torch.backends.cudnn, _operators(torch)
    new_settings = [operator.fp32_precision for operator in operators]
    try:
        old_settings = cudnn.allow_tf32, torch.get_float32_matmul_precision()
    except RuntimeError:  # torch raises it if the learner has used the new settings.
        old_settings = None
    if old_settings is not None:
        cudnn.allow_tf32 = False
        torch.set_float32_matmul_precision("highest")
    for operator in operators:
        operator.fp32_precision = "ieee"
    try:
        yield
    finally:
        if old_settings is not None:
            cudnn.allow_tf32 = old_settings[0]
            torch.set_float32_matmul_precision(old_settings[1])
        for operator, precision in zip(operators, new_settings):
            operator.fp32_precision = precision


def _operators(torch: ModuleType) -> list[Any]:
    """Return the operators whose precision torch 2.9 and later set one by one; none in an older version."""
    backends = torch.backends
    names = (backends.cudnn, "conv"), (backends.cudnn, "rnn"), (backends.cuda, "matmul"), (backends.mkldnn, "matmul")
    operators = [getattr(backend, name, None) for backend, name in names]
    return [operator for operator in operators if hasattr(operator, "fp32_precision")]
