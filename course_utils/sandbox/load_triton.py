"""``load_triton``: Triton for a lesson, with kernels that also run without a GPU, or a stand-in if it is not installed."""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.frameworks import triton_internals
from course_utils.sandbox import interpret_kernels

_FOR_LINUX = 'On Linux, `pip install "unloop[kernels]"` installs it.'
_ELSEWHERE = "There is no Triton for {}; on Binder or Colab, where the lesson's badges lead, the kernels run."


class KernelsMissing(CourseError):
    """Triton is not installed, so no kernel runs."""


def load_triton() -> tuple[Any, Any]:
    """Return the modules ``triton`` and ``triton.language``; from now on kernels on host tensors run in the interpreter.

    Without Triton, print one sentence and return stand-ins, with which kernels can be defined but not launched.

    >>> triton, tl = load_triton()  # doctest: +SKIP
    """
    if not triton_internals.is_installed():
        print(missing_sentence())
        return _StandIn("triton"), _StandIn("tl")
    import triton
    import triton.language

    interpret_kernels.install()
    return triton, triton.language


def require_triton() -> None:
    """Make kernels run on the host.

    Raises:
        KernelsMissing: Triton is not installed.
    """
    if not triton_internals.is_installed():
        raise KernelsMissing(missing_sentence())
    interpret_kernels.install()


def missing_sentence() -> str:
    """The sentence that says that Triton is missing, and how a learner can run the kernels."""
    remedy = _FOR_LINUX if platform.system() == "Linux" else _ELSEWHERE.format(platform.system())
    return f"Triton is not installed here, so no kernel runs. {remedy}"


class _StandIn:
    """Has every name that a cell with kernels uses; what would need Triton raises ``KernelsMissing``."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __bool__(self) -> bool:
        """False, so that a cell can ask whether Triton is there: ``if triton:``."""
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
