"""Whether torch may compute float32 in a shorter format, as TF32: both generations of its settings, turned off and put back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


@contextmanager
def exact(torch: ModuleType) -> Iterator[None]:
    """Inside the block convolutions and matrix products of float32 are computed in float32.

    Both generations are set: either one alone leaves what the learner chose by the other in force, or unreadable.
    """
    cudnn, places = torch.backends.cudnn, _places(torch)
    new = [place.fp32_precision for place in places]
    try:
        old = cudnn.allow_tf32, torch.get_float32_matmul_precision()
    except RuntimeError:  # torch's own signal that the learner has set the new ones
        old = None
    if old is not None:
        cudnn.allow_tf32 = False
        torch.set_float32_matmul_precision("highest")
    for place in places:
        place.fp32_precision = "ieee"
    try:
        yield
    finally:
        if old is not None:
            cudnn.allow_tf32 = old[0]
            torch.set_float32_matmul_precision(old[1])
        for place, before in zip(places, new):
            place.fp32_precision = before


def _places(torch: ModuleType) -> list[Any]:
    """Where torch 2.9 and later keep a precision; none in an older one."""
    backends = torch.backends
    named = (backends.cudnn, "conv"), (backends.cudnn, "rnn"), (backends.cuda, "matmul"), (backends.mkldnn, "matmul")
    places = [getattr(backend, name, None) for backend, name in named]
    return [place for place in places if hasattr(place, "fp32_precision")]
