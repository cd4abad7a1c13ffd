"""The global settings of Python and NumPy, by name, and how to restore them."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from course_utils.frameworks.global_settings import Setting, snapshot_of

# Variables of the environment that torch's compilers set themselves.
_SET_BY_COMPILERS = frozenset(
    map(
        os.environ.encodekey,
        (
            *("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TRITON_PTXAS_PATH", "TRITON_LIBDEVICE_PATH", "CUDA_HOME"),
            *("_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR", "TORCH_WARM_POOL", "CUBLAS_WORKSPACE_CONFIG"),
            *("KMP_DUPLICATE_LIB_OK", "CPLUS_INCLUDE_PATH"),
        ),
    )
)
# PyTorch's compiler raises a lower recursion limit to this when it first compiles.
_LIMIT_SET_BY_COMPILERS = 2000


def _environment() -> dict[Any, Any]:
    """Return the variables of the environment, as the system encodes them."""
    encoded = vars(os.environ)["_data"]  # os.environ itself decodes each one, which takes as long as a small call
    return {name: value for name, value in encoded.items() if name not in _SET_BY_COMPILERS}


def _set_environment(before: dict[Any, Any]) -> None:
    now = _environment()
    for name in now.keys() - before.keys():
        del os.environ[os.fsdecode(name)]
    for name, value in before.items():
        if now.get(name) != value:
            os.environ[os.fsdecode(name)] = os.fsdecode(value)


def _recursion_limit() -> int:
    """Return the recursion limit, at least the limit that PyTorch's compiler sets."""
    return max(sys.getrecursionlimit(), _LIMIT_SET_BY_COMPILERS)


def _working_directory() -> str | None:
    """Return the working directory; None if it was deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return None


def _set_working_directory(path: str) -> None:
    with suppress(FileNotFoundError):  # The directory may have been deleted.
        os.chdir(path)


_SETTINGS = (
    Setting("os.environ", _environment, _set_environment),
    Setting("sys.getrecursionlimit()", _recursion_limit, sys.setrecursionlimit),
    Setting("os.getcwd()", _working_directory, _set_working_directory),
    Setting("gc.isenabled()", gc.isenabled, lambda is_on: gc.enable() if is_on else gc.disable()),
    Setting("np.geterr()", np.geterr, lambda errors: np.seterr(**errors)),
)


def snapshot_settings() -> Callable[[], dict[str, Any]]:
    """Return a function that restores the present settings, and returns the settings that had changed."""
    return snapshot_of(_SETTINGS)
