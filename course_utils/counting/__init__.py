"""Deterministic counts of one call: operations, launches, bytes, synchronizations, transfers, traces. Nothing is timed
here.

Counting changes how code runs, since compiled code runs one operation at a time, so count and time in separate calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from course_utils import frameworks
from course_utils.counting import other_threads
from course_utils.counting.tally import MASKED_WRITE, NUMERICS_CHECK, PRINTED, REBUILT, SCALAR_READS, Tally
from course_utils.sandbox.interpret_kernels import counting_kernels


@dataclass(frozen=True)
class Counts:
    """The counts of one call.

    Attributes:
        ops: tensor operations run. Operations inside a graph count in each iteration of its loops, and
            ``torch._foreach_add`` counts once for each tensor of its list.
        launches: operator calls: each operation that runs outside a TensorFlow graph, and each call of a graph.
        bytes: bytes of new tensors, including those freed before the call ended.
        peak: the most bytes of new tensors alive at one time, including the result and what a gradient needs. Memory
            that one operation allocates and frees internally, and memory inside a graph, is not seen.
        syncs: how often Python waited for a value: ``.item()``, ``.tolist()``, ``if tensor:``, ``print(tensor)``; in torch
            also for a shape that depends on values, as of ``x[mask]``. An operation or a print counts once, even if it
            reads several values. Values that TensorFlow reads for itself, such as a shape for ``tf.zeros``, are not counted.
        transfers: how often torch was asked for existing values on a device: ``x.to(device)``, ``.cuda()``, ``.cpu()``,
            ``torch.tensor(…, device=device)``. A tensor that is already on the device counts too,
            so that the number is the same without a GPU. TensorFlow places tensors automatically, so it counts 0.
        traces: TensorFlow graphs traced during the call; 0 for torch, whose compiled code runs uncompiled while it is counted.
        xla_graphs: calls of TensorFlow graphs that XLA compiles, at least in part.
        threads: Python threads and processes that the call started, calls that it gave to thread pools, and reads of a
            `tf.data` pipeline; their work is not counted.
        view_ops: how many of ``ops`` only created views in torch, such as a slice or a transpose, without work or memory.
        views: the views that these operations created: ``x.unbind()`` creates one view per row. In TensorFlow, the pieces
            into which ``tf.unstack``, ``tf.split`` and ``tf.dynamic_partition`` cut a tensor.
        unseen_results: tensors in the result whose memory comes from neither an argument nor a counted operation,
            but from another thread or from code that bypasses operations; in TensorFlow, only if all of them do.
        kernels: launches of Triton kernels in the interpreter; kernels that run on a GPU are not counted.
        programs: programs of these launches.
        accesses: loads, stores and atomic operations that these programs ran, each of a block or of a single value.
        loaded: bytes that these programs loaded, counted at every load, without masked elements.
        stored: bytes that these programs stored, counted the same way; an atomic operation loads and stores.
        sync_causes: what brought values to Python, each cause once: ``(".tolist()",)``.
        inner_syncs: the operations that synchronized internally, each once: ``("x[mask]", "torch.equal")``.
        custom_operators: operators that ran and that torch does not define, and higher-order operators other than ``torch.cond``;
            operations inside them are not counted.
        computations: torch's operations that did more than allocate, copy or move values, each once.
    """

    ops: int = 0
    launches: int = 0
    bytes: int = 0
    peak: int = 0
    syncs: int = 0
    transfers: int = 0
    traces: int = 0
    xla_graphs: int = 0
    threads: int = 0
    view_ops: int = 0
    views: int = 0
    unseen_results: int = 0
    kernels: int = 0
    programs: int = 0
    accesses: int = 0
    loaded: int = 0
    stored: int = 0
    sync_causes: tuple[str, ...] = ()
    inner_syncs: tuple[str, ...] = ()
    custom_operators: tuple[str, ...] = ()
    computations: tuple[str, ...] = ()

    @property
    def ops_without_views(self) -> int:
        """Return the tensor operations that do more than make a view."""
        return self.ops - self.view_ops

    @classmethod
    def of(cls, tally: Tally) -> Counts:
        """Return the counts of a tally, without duplicate names."""
        names = {name: tuple(dict.fromkeys(value)) for name, value in vars(tally).items() if isinstance(value, list)}
        return cls(**vars(tally) | names)

    @property
    def whole_tensor_reads(self) -> tuple[str, ...]:
        """Return the causes of synchronizations that read a whole tensor instead of a single value."""
        return tuple(
            cause
            for cause in self.sync_causes
            if cause not in (*SCALAR_READS, PRINTED, MASKED_WRITE, REBUILT, NUMERICS_CHECK)
        )


def count(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> tuple[Any, Counts]:
    """Return the result and the counts of one call, over all loaded frameworks.

    Work in other threads or processes is not counted; only the start of one, a submission to a pool, or a read of a
    `tf.data` pipeline is. A TensorFlow graph runs twice, so it updates its variables twice.

    Raises:
        Exception: whatever ``function`` raises.

    >>> import torch
    >>> count(torch.add, torch.ones(3), 1)[1].ops
    1
    """
    tally = Tally()
    with counting(tally) as count_unseen:
        result = function(*args, **kwargs)
        count_unseen((args, tuple(kwargs.values())), result)
    return result, Counts.of(tally)


@contextmanager
def counting(tally: Tally) -> Iterator[Callable[[Any, Any], None]]:
    """Add what a block does to ``tally``, in every framework that is loaded; see ``count``.

    The block gets a function ``f(arguments, result)``, which counts ``unseen_results``.
    """
    with ExitStack() as counters:
        counters.enter_context(other_threads.counting(tally))
        counters.enter_context(counting_kernels(tally))
        unseen_counters: list[Callable[[Any, Any], None]] = []
        if frameworks.by_name("torch").is_loaded():
            from course_utils.counting import torch

            unseen_counters.append(counters.enter_context(torch.counting(tally)))
        if frameworks.by_name("tensorflow").is_loaded():
            from course_utils.counting import tensorflow

            unseen_counters.append(counters.enter_context(tensorflow.counting(tally)))

        def count_unseen_results(arguments: Any, result: Any) -> None:
            for each in unseen_counters:
                each(arguments, result)

        yield count_unseen_results
