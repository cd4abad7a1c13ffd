"""Deterministic counts of what one call does: operations, bytes, waits for values, transfers, traces. No clock is read here.

Counting changes how code runs (compiled code runs one operation at a time), so count and time in separate calls.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from course_utils import frameworks
from course_utils.counting import threads
from course_utils.counting.tally import MASKED, PRINTED, REBUILT, SCALAR_READS, Tally


@dataclass(frozen=True)
class Counts:
    """What one call did.

    Attributes:
        ops: tensor operations run, those inside a graph and each turn of its loops included.
        launches: tensor operations that Python started one by one; a call of a TensorFlow graph is one, whatever is in it.
        bytes: bytes of new tensors, also of those freed again before the call ended.
        peak: the most bytes of new tensors that were alive at one time, those of the result and of what a gradient needs among
            them. What one operation makes for itself and frees before it ends is not seen, nor what happens within a graph.
        syncs: times that Python waited for a value, or that a shape depended on one: ``.item()``, ``.tolist()``,
            ``if tensor:``, ``x[mask]``, ``print(tensor)``. What TensorFlow reads for itself, a shape for ``tf.zeros``
            or the values that ``tf.vectorized_map`` puts into its graph, is not counted.
        transfers: times that torch was asked for a tensor on a device: ``x.to(device)``, ``.cuda()``, ``.cpu()``,
            ``torch.tensor(…, device=device)``. A tensor that is there already counts as well, so that the number is
            the same on a machine without a GPU; TensorFlow places tensors by itself, there it stays 0.
        traces: graphs traced or compiled during the call.
        threads: Python threads that were started during the call; what runs in them is not counted.
        escapes: the names of the ways by which values came to Python, ``(".tolist()",)``.
    """

    ops: int = 0
    launches: int = 0
    bytes: int = 0
    peak: int = 0
    syncs: int = 0
    transfers: int = 0
    traces: int = 0
    threads: int = 0
    sync_causes: tuple[str, ...] = ()

    @property
    def whole_tensor_reads(self) -> tuple[str, ...]:
        """The escapes that took all values of a tensor, not a single one."""
        return tuple(name for name in self.sync_causes if name not in (*SCALAR_READS, PRINTED, MASKED, REBUILT))


def count(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> tuple[Any, Counts]:
    """Call ``function`` once and count, in every framework that is loaded; returns its result and the counts.

    What ``function`` raises passes through. Work that it hands to other threads or processes is not seen; that it starts
    a thread is.

    >>> import torch
    >>> count(torch.add, torch.ones(3), 1)[1].ops
    1
    """
    tally = Tally()
    with ExitStack() as counters:
        counters.enter_context(threads.counting(tally))
        if frameworks.by_name("torch").is_loaded():
            from course_utils.counting import pytorch

            counters.enter_context(pytorch.counting(tally))
        if frameworks.by_name("tensorflow").is_loaded():
            from course_utils.counting import tensorflow

            counters.enter_context(tensorflow.counting(tally))
        result = function(*args, **kwargs)
    return result, Counts(**vars(tally) | {"sync_causes": tuple(dict.fromkeys(tally.sync_causes))})
