"""``Oracle``: the slow loop's results, in the inputs' own precision and, for the true values, in double precision."""

from __future__ import annotations

import io
import math
import pickle
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from course_utils import frameworks
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.tensor_interface import UPCAST_DTYPES
from course_utils.judging.return_or_written_arguments import judged_function
from course_utils.judging.rounding import largest
from course_utils.tasks import Mistake, Task

# To see how much a result depends on its inputs, each input changes by up to a rounding of float32. The changes of some
# inputs can cancel, so there are a few draws, and the largest effect is multiplied by a factor.
_CHANGE, _DRAWS, _CANCELLED = 2.0**-24, 3, 4


@dataclass(frozen=True)
class Expected:
    """The slow loop's result on one input.

    Attributes:
        native: computed in the inputs' own dtypes.
        inputs: what it was computed from, unchanged.
        precisely: computes the result in double precision; None if ``native`` is exact.
        perturbed: computes the result in double precision after random small changes of every input.
        detached: whether a result that keeps the graph of its gradient is wrong.
        inputs_after: the inputs as the slow loop left them.
    """

    native: Any
    inputs: tuple
    precisely: Callable[[], Any] | None = None
    detached: bool = False
    inputs_after: tuple = ()
    perturbed: Callable[[np.random.Generator], Any] | None = None

    @cached_property
    def exact(self) -> Any:
        """Return the result in float64 (complex128) from widened inputs, computed at the first use because a slow loop
        takes long."""
        return self.native if self.precisely is None else self.precisely()

    @cached_property
    def effective_input_scale(self) -> float:
        """Return the magnitude of the inputs as far as the result depends on them: a masked 1e30 does not count.

        It is the largest change of a result, divided by the relative change of the inputs that causes it; infinity if
        that is not known.
        """
        if self.perturbed is None:
            return math.inf
        generator, exact = np.random.default_rng(0), tensor_trees.tensors(self.exact)
        pairs = [pair for _ in range(_DRAWS) for pair in zip(exact, tensor_trees.tensors(self.perturbed(generator)))]
        with np.errstate(all="ignore"):
            changes = [largest(tensor_trees.to_numpy(other) - tensor_trees.to_numpy(one)) for one, other in pairs]
        return _CANCELLED * max(changes, default=0.0) / _CHANGE


def run_slow_loop(task: Task, inputs: tuple, reference: Callable[..., Any] | None = None) -> Expected:
    """Return the result of the slow loop on copies of ``inputs``.

    Args:
        reference: a function to call instead of the slow loop.
    """
    slow = judged_function(task, reference or task.slow)
    inputs_after = tensor_trees.copy_inputs(inputs)
    native = slow(*inputs_after)
    if task.same is not None or task.tolerance == 0 or not tensor_trees.can_upcast(inputs):
        return Expected(native, inputs, None, task.detached, inputs_after)
    precisely = lambda: slow(*tensor_trees.upcast(inputs))
    perturbed = lambda generator: slow(
        *tensor_trees.map_leaves(tensor_trees.upcast(inputs), partial(_change_slightly, generator))
    )
    return Expected(native, inputs, precisely, task.detached, inputs_after, perturbed)


def _change_slightly(generator: np.random.Generator, leaf: Any) -> Any:
    """Return a tensor in double precision with each value a little larger or smaller, and a module with such parameters;
    anything else as it is.
    """
    framework = frameworks.of(leaf)
    if framework.is_module(leaf):
        for tensor in framework.named_tensors(leaf).values():
            framework.overwrite(tensor, _change_slightly(generator, tensor))
        return leaf
    if not tensor_trees.is_tensor(leaf) or tensor_trees.dtype_name(leaf) not in UPCAST_DTYPES.values():
        return leaf
    return framework.multiply(leaf, 1 + _CHANGE * generator.uniform(-1, 1, tuple(leaf.shape)))


class _ValuesPickler(pickle.Pickler):
    """Pickles tensors by their values: PyTorch's own pickles hold addresses, so equal inputs differ in them."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self._tensors: list[Any] = []

    def reducer_override(self, value: Any) -> Any:
        if not tensor_trees.is_tensor(value):
            return NotImplemented
        framework = frameworks.of(value)
        self._tensors.append(value)
        shared = next(
            index for index, each in enumerate(self._tensors) if each is value or framework.shares_memory(each, value)
        )
        gradient = value.grad if getattr(value, "is_leaf", False) else None
        values = framework.to_numpy(value).tobytes()
        properties = str(value.device), framework.layout(value), framework.holds_graph(value), shared
        return type, (type(value), properties, values, gradient)  # never unpickled


def _pickle_values(inputs: tuple) -> bytes:
    """Return bytes that are equal for inputs with equal values, layouts, gradients and sharing of memory."""
    file = io.BytesIO()
    _ValuesPickler(file).dump(inputs)
    return file.getvalue()


@dataclass(frozen=True)
class Oracle:
    """The slow loop with a memory of its results; answers that are judged with one seed share it.

    Inputs are recognized by their values, or by their identity if they hold something without values, such as a lambda.
    """

    _known: dict[tuple[str, bytes | int, Hashable], Expected] = field(default_factory=dict, repr=False)

    def __call__(self, task: Task, inputs: tuple, at_count_size: bool = False) -> Expected:
        """Return the slow loop's result; at a size at which work is counted, the result of ``task.reference`` if there
        is one.
        """
        return self.remember(
            task, inputs, None, lambda: run_slow_loop(task, inputs, task.reference if at_count_size else None)
        )

    def of_mistake(self, task: Task, mistake: Mistake, inputs: tuple) -> Expected:
        """Return the result of one of the task's named mistakes; whatever the mistake raises is raised here."""
        run = lambda: judged_function(task, mistake.wrong)(*tensor_trees.copy_inputs(inputs))
        return self.remember(task, inputs, mistake.wrong, lambda: Expected(run(), inputs))

    def remember(self, task: Task, inputs: tuple, kind: Hashable, run: Callable[[], Expected]) -> Expected:
        """Return what ``run`` returned at its first call for these inputs; ``kind`` says what it computes from them."""
        try:
            values: bytes | int = _pickle_values(inputs)
        except Exception:  # noqa: BLE001 - each kind of object has its own error for not being picklable
            values = id(inputs)  # the result keeps its inputs alive, so no other inputs get their identity
        key = task.id, values, kind
        if key not in self._known:
            self._known[key] = run()
        return self._known[key]
