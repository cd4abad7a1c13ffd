"""``Framework``: all that the course asks of a framework. torch, TensorFlow and "none" implement it in one file each.

The rooms above use this class and name no framework.
"""

from __future__ import annotations

import importlib.metadata
import sys
from types import ModuleType

from course_utils.frameworks.compiler_interface import Compiler
from course_utils.frameworks.device_interface import DeviceInterface
from course_utils.frameworks.remedy_words import EITHER, RemedyWords
from course_utils.frameworks.runtime_interface import RuntimeInterface
from course_utils.frameworks.tensor_interface import Tensor, TensorInterface


class Framework(TensorInterface, RuntimeInterface, DeviceInterface):
    """One framework. Nothing here imports it: methods that need the framework require ``is_loaded()``.

    Attributes:
        name: the framework's import name, which tasks use too.
        title: its name in a sentence.
        distributions: the names of packages that install it, the usual one first.
        comparisons: its functions that compare values, which a check relies on.
        logger_name: the logger to which it sends advice on its use; None if it has none.
        places_automatically: whether it chooses a tensor's device itself.
        aborts_when_out_of_memory: whether a failed small allocation of its own ends the process without an error.
        compiler: the compiler that runs at a function's first call.
        profiler_name: how a program refers to its profiler, such as ``torch.profiler``.
        launches_per_read: the number of its small operations that take at most as long as reading one value on a CPU.
        times_operations_apart: whether its operations are timed in a separate run that reuses memory.
        remedy_words: what it calls the functions that advice on slow or wrong code names.
        uncompiled_modules: the classes of modules that its compiler never compiles, because they take one step after another.
        packages: the names of its packages, as Python imports them.
        stores_profiles: whether ``profiled_threads`` reads the profiles that it stores.
    """

    name: str
    title: str
    distributions: tuple[str, ...] = ()
    comparisons: tuple[str, ...] = ()
    logger_name: str | None = None
    places_automatically: bool = True
    aborts_when_out_of_memory: bool = False
    compiler: Compiler = Compiler()
    profiler_name: str = "cProfile"
    launches_per_read: float = 1.0
    times_operations_apart: bool = False
    remedy_words: RemedyWords = EITHER
    uncompiled_modules: frozenset[str] = frozenset()
    packages: tuple[str, ...] = ()
    stores_profiles: bool = False

    @property
    def library(self) -> ModuleType:
        """Return the imported package.

        Raises:
            KeyError: this process has not imported it.
        """
        return sys.modules[self.name]

    def convert(self, tensor: Tensor, dtype: str) -> Tensor:
        """Return the values in ``dtype``, such as ``"float32"``."""
        wanted = getattr(self.library, dtype)
        return tensor.to(wanted) if hasattr(tensor, "to") else self.library.cast(tensor, wanted)

    def is_loaded(self) -> bool:
        """Return whether this process has imported the framework."""
        return hasattr(sys.modules.get(self.name), "__version__")

    def installed_version(self) -> str | None:
        """Return the installed version without importing the framework; None if it is not installed."""
        for distribution in self.distributions:
            try:
                return importlib.metadata.version(distribution)
            except importlib.metadata.PackageNotFoundError:
                continue
        return None
