"""What the course asks of a framework, in one class that torch, TensorFlow and "none" implement in a file each.

Everything above speaks with this class and knows no framework by its name. It says what is asked, and does what is the same for all.
"""

from __future__ import annotations

import copy
import importlib.metadata
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from course_utils.frameworks.accelerator import Accelerator
from course_utils.frameworks.cancelling import Cancellable
from course_utils.frameworks.compiling import Compiler

Tensor: TypeAlias = Any
"""A tensor of any framework; a leaf that may be anything else is written ``Any``."""

WIDE = {"float16": "float64", "bfloat16": "float64", "float32": "float64", "complex64": "complex128"}
"""The names of dtypes that have a wider one, and its name."""

_FLOATING = ("float16", "bfloat16", "float32", "float64")


class Framework(ABC):
    """One framework. Nothing here imports it: what needs it may be called only where ``is_loaded()``.

    Attributes:
        name: as a task and an import name it.
        title: as a sentence names it.
        distributions: what an installer may call it, the usual one first.
        comparisons: its functions that tell whether values are equal, which a check relies on and no answer may replace.
        logger: the name of the logger by which it remarks on how it is used, None where it has none.
        places_by_itself: whether it chooses where a tensor lies; where not, whoever makes one says so.
        ends_process_without_memory: whether a small allocation of its own that fails ends the process, with no error.
        compiler: what compiles functions of it when they are first called.
    """

    name: str
    title: str
    distributions: tuple[str, ...] = ()
    comparisons: tuple[str, ...] = ()
    logger: str | None = None
    places_by_itself: bool = True
    ends_process_without_memory: bool = False
    compiler: Compiler = Compiler()

    @property
    def library(self) -> ModuleType:
        """The framework itself; KeyError where this process has not imported it."""
        return sys.modules[self.name]

    def is_loaded(self) -> bool:
        """Whether this process has imported it."""
        return hasattr(sys.modules.get(self.name), "__version__")

    def installed_version(self) -> str | None:
        """The version that could be imported, without importing it; None where it is not installed."""
        for distribution in self.distributions:
            try:
                return importlib.metadata.version(distribution)
            except importlib.metadata.PackageNotFoundError:
                continue
        return None

    # What a value is

    @abstractmethod
    def is_tensor(self, value: Any) -> bool:
        """Whether ``value`` is one of its tensors, of any class."""

    @abstractmethod
    def is_module(self, value: Any) -> bool:
        """Whether ``value`` is a module: an object that holds tensors by name."""

    @abstractmethod
    def is_generator(self, value: Any) -> bool:
        """Whether ``value`` is one of its generators of random numbers, of those that are handed to a function."""

    @abstractmethod
    def called(self, value: Any) -> str:
        """What a learner would call ``value``, with its article: ``"a torch tensor"``, ``"a list"``."""

    @abstractmethod
    def flaw(self, tensor: Tensor, wanted: str) -> str | None:
        """Why ``tensor`` is no plain tensor with values, as the rest of "the result is …"; None where it is one.

        Args:
            wanted: what ``called`` says of the tensor that it should be.
        """

    @abstractmethod
    def has_no_values(self, tensor: Tensor) -> bool:
        """Whether ``tensor`` is only a shape and a dtype."""

    def is_floating(self, value: Any) -> bool:
        """Whether ``value`` is a tensor of real floating-point numbers: one that has a gradient."""
        return self.is_tensor(value) and self.dtype_name(value) in _FLOATING

    def dtype_name(self, tensor: Tensor) -> str:
        """``"float32"``, in every framework."""
        return (getattr(tensor.dtype, "name", None) or str(tensor.dtype)).rpartition(".")[2]

    # Values and copies

    @abstractmethod
    def to_numpy(self, tensor: Tensor) -> np.ndarray:
        """The values as an array on the host; bfloat16, which NumPy lacks, becomes float32."""

    @abstractmethod
    def parts(self, module: Any) -> Mapping[str, Tensor]:
        """A module's tensors by name: parameters and buffers."""

    @abstractmethod
    def twin(self, generator: Any) -> Any:
        """A generator that will draw what ``generator`` will."""

    def kept(self, leaf: Any) -> Any:
        """A copy of a result's values that knows nothing of how they were computed."""
        return copy.deepcopy(leaf)

    @abstractmethod
    def widened(self, leaf: Any) -> Any:
        """A tensor or module in double precision, a module in place; anything else as it is."""

    def moved(self, leaf: Any, device: str) -> Any:
        """A tensor or module on ``device``, and ``device`` for a device; as it is where the framework places by itself."""
        return leaf

    # Memory

    def layout(self, tensor: Tensor) -> tuple:
        """Shape, dtype, and strides where the framework has them."""
        return tuple(tensor.shape), self.dtype_name(tensor), ()

    def memory(self, tensor: Tensor) -> bytes:
        """The bytes behind a tensor, those between its strides too."""
        return np.ascontiguousarray(self.to_numpy(tensor)).tobytes()

    def shares_memory(self, one: Tensor, other: Tensor) -> bool:
        """Whether a change of one of two tensors may change the other; it never matters where none can be changed."""
        return False

    def overwritten(self, old: Any, new: Any) -> Any:
        """``old`` with the values of ``new``, where it is a tensor or module that can take them; otherwise ``new``."""
        return new

    @abstractmethod
    def remembered(self, value: Any) -> Callable[[], None] | None:
        """Remember the values in a tensor, module or optimizer; the function that is returned puts them back.

        None for what holds no values of the framework's that can change.
        """

    def is_optimizer(self, value: Any) -> bool:
        """Whether ``value`` is an optimizer: what makes part of its state when it is first used."""
        return False

    # Gradients

    def holds_graph(self, tensor: Tensor) -> bool:
        """Whether the tensor itself keeps alive what its gradient needs."""
        return False

    @abstractmethod
    def gradients(self, function: Callable[..., list[Tensor]], inputs: tuple, seed: int) -> list[Tensor | None]:
        """For each input the gradient of a weighted sum of all results, None where it has none.

        Args:
            function: returns the tensors of its result.
            inputs: those that are floating tensors get a gradient.
            seed: of the weights, see ``weights``.
        """

    @staticmethod
    def weights(results: list[Tensor], seed: int) -> list[np.ndarray]:
        """Random numbers in the shapes of ``results``, the same for one seed in every framework."""
        generator = np.random.default_rng(seed)
        return [generator.standard_normal(tuple(result.shape)) for result in results]

    # The process

    @abstractmethod
    def seed(self, number: int) -> None:
        """Seed the global generators."""

    @abstractmethod
    def state_kept(self) -> Callable[[], None]:
        """Remember the state of the global generators and the defaults; the function that is returned puts it back."""

    @abstractmethod
    def threads(self, count: int) -> AbstractContextManager[int]:
        """Let operations use ``count`` threads inside the block; yields the number that is really in force."""

    @abstractmethod
    def threads_in_use(self) -> int | None:
        """How many threads an operation may use now; None where the framework does not tell."""

    @abstractmethod
    def is_out_of_memory(self, error: BaseException) -> bool:
        """Whether ``error`` is its way to say that memory ran out; asked also where it is not loaded."""

    @abstractmethod
    def cancellable(self) -> Cancellable | None:
        """A context that ends the graphs in it; None where nothing runs outside of Python for long."""

    # Devices

    @abstractmethod
    def accelerators(self) -> list[str]:
        """The names of the devices that it counts beside the CPU, as ``"cuda:0"``; whether they work, ``touch`` tells."""

    @abstractmethod
    def device_of(self, tensor: Tensor) -> str:
        """The name of the device on which a tensor lies, ``"cpu"`` or one of ``accelerators()``."""

    @abstractmethod
    def touch(self, device: str) -> None:
        """Run one small kernel on an accelerator and wait for it; whatever is wrong with the device is raised."""

    @abstractmethod
    def describe(self, device: str) -> str | None:
        """What a person calls an accelerator; None for a device of another kind."""

    @abstractmethod
    def waiters(self, device: str) -> list[Callable[[], Any]]:
        """What must be called for all work given to ``device`` to be done: none where calls return only when done."""

    @abstractmethod
    def placed(self, device: str) -> AbstractContextManager[object]:
        """Keep operations on ``device`` inside the block, where the framework would place them by itself."""

    @abstractmethod
    def exact(self) -> AbstractContextManager[object]:
        """Inside the block float32 is computed as float32, and in no shorter format that an accelerator may prefer."""

    @abstractmethod
    def accelerator(self, device: str) -> Accelerator | None:
        """What a clock needs of one of ``accelerators()``; None for any other device.

        Raises:
            Exception: the framework's own, where the device has no memory left for what its caches are flushed with.
        """
