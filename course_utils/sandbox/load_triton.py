"""``load_triton``: imports Triton for a lesson so that kernels also run without a GPU; a stand-in if it is not
installed."""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.frameworks import triton_internals
from course_utils.frameworks.load_order import can_load_triton
from course_utils.sandbox import interpret_kernels

_FOR_LINUX = "On Linux, `pip install triton` installs it."
_TOO_OLD = (
    "The kernels need Triton {} or newer, and this is {}; `pip install --upgrade torch triton` installs a newer one."
)
_TOO_LATE = (
    "TensorFlow is loaded in this kernel, and loading Triton after it would crash Python. Restart the kernel, and run "
    "load_triton() first."
)
_ELSEWHERE = "There is no Triton for {}; on Binder or Colab, `pip install triton` installs it."


class KernelsMissing(CourseError):
    """Triton is not installed, so no kernel runs."""


def load_triton() -> tuple[Any, Any]:
    """Return the modules ``triton`` and ``triton.language``; from now on kernels on host tensors run in the interpreter.

    Without Triton, print one sentence and return stand-ins, with which kernels can be defined but not launched.

    Raises:
        KernelsMissing: TensorFlow was loaded before Triton.

    >>> triton, tl = load_triton()  # doctest: +SKIP
    """
    if not triton_internals.is_usable():
        print(missing_sentence())
        return _StandIn("triton"), _StandIn("tl")
    require_triton()
    import triton
    import triton.language

    return triton, triton.language


def require_triton() -> None:
    """Make kernels run on the host.

    Raises:
        KernelsMissing: Triton is not installed, is too old, or TensorFlow was loaded before it.
    """
    if not triton_internals.is_usable():
        raise KernelsMissing(missing_sentence())
    if not can_load_triton():
        raise KernelsMissing(_TOO_LATE)
    interpret_kernels.install()


def missing_sentence() -> str:
    """Return the sentence that says that Triton is missing, and how a learner can run the kernels."""
    if version := triton_internals.version():
        return _TOO_OLD.format(".".join(map(str, triton_internals.LOWEST)), version)
    system = platform.system().replace("Darwin", "macOS")
    remedy = _FOR_LINUX if system == "Linux" else _ELSEWHERE.format(system)
    return f"Triton is not installed here, so no kernel runs. {remedy}"


class _StandIn:
    """Has every name that a cell with kernels uses; a call that needs Triton raises ``KernelsMissing``."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __bool__(self) -> bool:
        """Return False, so that a cell can test for Triton with ``if triton:``."""
        return False

    def jit(self, function: Callable[..., Any]) -> _Kernel:
        return _Kernel(function)

    def cdiv(self, a: int, b: int) -> int:
        return -(-a // b)

    def next_power_of_2(self, n: int) -> int:
        return 1 << max(0, n - 1).bit_length()

    def __getattr__(self, name: str) -> _StandIn:
        if name.startswith("__"):
            raise AttributeError(name)
        return _StandIn(f"{self._name}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise KernelsMissing(missing_sentence())


class _Kernel:
    """A kernel that cannot run."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.fn, self.__name__ = function, function.__name__

    def __getitem__(self, grid: Any) -> _Kernel:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise KernelsMissing(missing_sentence())
