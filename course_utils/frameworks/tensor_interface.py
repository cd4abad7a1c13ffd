"""What the course asks of a framework about its values: types, copies, memory and gradients."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

Tensor: TypeAlias = Any
"""A tensor of any framework; a value that may be something else is annotated ``Any``."""

UPCAST_DTYPES = {"float16": "float64", "bfloat16": "float64", "float32": "float64", "complex64": "complex128"}
"""The dtypes narrower than double precision → the double-precision dtype of the same kind."""

FLOATING = ("float64", "float32", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")
NUMBERS = (*FLOATING[:-1], *INTEGERS)  # without bfloat16, which NumPy lacks


class TensorInterface(ABC):
    """A framework's tensors, modules, optimizers and random number generators.

    A method that needs the framework may be called only if the framework is loaded.
    """

    # Types

    @abstractmethod
    def is_tensor(self, value: Any) -> bool:
        """Return whether ``value`` is a tensor of this framework, of any class."""

    @abstractmethod
    def is_module(self, value: Any) -> bool:
        """Return whether ``value`` is a module, an object that holds tensors by name."""

    @abstractmethod
    def is_generator(self, value: Any) -> bool:
        """Return whether ``value`` is a random number generator that functions take as an argument."""

    def is_optimizer(self, value: Any) -> bool:
        """Return whether ``value`` is an optimizer, which creates part of its state in its first step."""
        return False

    @abstractmethod
    def type_phrase(self, value: Any) -> str:
        """Return the type of ``value`` in words, with an article: ``"a torch tensor"``, ``"a list"``."""

    @abstractmethod
    def why_unsupported(self, tensor: Tensor, expected: str) -> str | None:
        """Return why ``tensor`` is not a plain tensor with values, to follow "the result is"; None for a plain tensor.

        Args:
            expected: the ``type_phrase`` of the tensor that is expected instead.
        """

    @abstractmethod
    def has_no_values(self, tensor: Tensor) -> bool:
        """Return whether ``tensor`` is only a shape and a dtype."""

    def is_floating(self, value: Any) -> bool:
        """Return whether ``value`` is a tensor of real floating-point numbers, which has a gradient."""
        return self.is_tensor(value) and self.dtype_name(value) in FLOATING

    def dtype_name(self, tensor: Tensor) -> str:
        """Return the dtype as every framework spells it: ``"float32"``."""
        return (getattr(tensor.dtype, "name", None) or str(tensor.dtype)).rpartition(".")[2]

    # Values and copies

    @abstractmethod
    def to_numpy(self, tensor: Tensor) -> np.ndarray:
        """Return the values as an array on the host; bfloat16, which NumPy lacks, becomes float32."""

    @abstractmethod
    def named_tensors(self, module: Any) -> Mapping[str, Tensor]:
        """Return a module's parameters and buffers by name."""

    @abstractmethod
    def clone_generator(self, generator: Any) -> Any:
        """Return a generator that draws the same numbers as ``generator`` will."""

    def plain_copy(self, tensor: Tensor) -> Tensor | None:
        """Return a fast copy of a tensor that fills its own memory and has no gradient or attributes; None for any
        other tensor."""
        return None

    def detached_copy(self, value: Any) -> Any:
        """Return a copy of the values without the graph that computed them."""
        return copy.deepcopy(value)

    @abstractmethod
    def upcast(self, value: Any) -> Any:
        """Return a tensor in double precision; a module is converted in place, and any other value is returned
        unchanged."""

    def multiply(self, tensor: Tensor, factors: np.ndarray) -> Tensor:
        """Return the product of a tensor and ``factors``, which have its shape, in the tensor's dtype."""
        return tensor * factors

    def to_device(self, value: Any, device: str) -> Any:
        """Return a tensor or module on ``device``, and ``device`` for a device.

        A framework that places tensors automatically returns ``value``.
        """
        return value

    def replace_infinities(self, tensor: Tensor, value: float) -> Tensor:
        """Return a copy of a floating-point tensor with ``value`` for infinity and ``-value`` for minus infinity."""
        raise NotImplementedError

    # Memory

    def layout(self, tensor: Tensor) -> tuple:
        """Return shape, dtype and, if the framework has them, strides."""
        return tuple(tensor.shape), self.dtype_name(tensor), ()

    def storage_bytes(self, tensor: Tensor) -> bytes:
        """Return all bytes of the tensor's memory, including the bytes that its strides skip."""
        return np.ascontiguousarray(self.to_numpy(tensor)).tobytes()

    def shares_memory(self, one: Tensor, other: Tensor) -> bool:
        """Return whether a change to one tensor may change the other; False if tensors cannot change."""
        return False

    def write_count(self, tensor: Tensor) -> int:
        """Return how often operations have written into the tensor's memory; 0 if tensors cannot change."""
        return 0

    def overwrite(self, target: Any, source: Any) -> Any:
        """Return ``target`` with the values of ``source`` if it can take them, else ``source``."""
        return source

    def named_modules(self, module: Any) -> list[tuple[str, Any]]:
        """Return the modules inside ``module`` with their names, and itself as ""; [] for any other value."""
        return []

    @abstractmethod
    def snapshot(self, value: Any) -> Callable[[], object] | None:
        """Return a function that restores the present values of a tensor, module or optimizer.

        The result is None if nothing in ``value`` belongs to the framework and can change. The function may return a
        list of the tensors that had changed.
        """

    def mutable_state(self, value: Any) -> Mapping[str, Any]:
        """Return what a call may change in a tensor, module or optimizer besides values: ``{".training": True}``."""
        return {}

    def read(self, tensor: Tensor) -> None:
        """Read all values of a tensor, to load them into the processor's caches."""

    # Gradients

    def copy_gradients(self, source: Any, target: Any) -> None:
        """Give ``target``, a deep copy of the tensor or module ``source``, copies of its gradients."""

    def trainable(self, value: Any) -> Any:
        """Return a copy that needs a gradient for a floating-point tensor, and any other value unchanged.

        A framework that does not mark such tensors returns ``value``.
        """
        return value

    def holds_graph(self, tensor: Tensor) -> bool:
        """Return whether the tensor holds the graph that its gradient needs."""
        return False

    @abstractmethod
    def gradients(self, function: Callable[..., list[Tensor]], inputs: tuple, seed: int) -> list[Tensor | None]:
        """Return for each input the gradient of a weighted sum of all results, None for an input without a gradient.

        Args:
            function: returns the tensors of its result.
            inputs: the arguments; floating-point tensors get a gradient.
            seed: decides the weights, see ``random_weights``.
        """

    @staticmethod
    def random_weights(results: list[Tensor], seed: int) -> list[np.ndarray]:
        """Return random arrays in the shapes of ``results``; one seed gives the same arrays in every framework."""
        generator = np.random.default_rng(seed)
        return [generator.standard_normal(tuple(result.shape)) for result in results]
