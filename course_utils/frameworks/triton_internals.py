"""Every private name of Triton that the course uses. A missing name raises ``PrivateNameMissing`` at its first use.

Importing this module does not import Triton.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
from typing import TYPE_CHECKING, Any

from course_utils.frameworks.private_names import load_names

ADDRESSES = {
    "GridExecutor": "triton.runtime.interpreter:GridExecutor",
    "InterpretedFunction": "triton.runtime.interpreter:InterpretedFunction",
    "InterpreterError": "triton.runtime.errors:InterpreterError",
    "JITFunction": "triton.runtime.jit:JITFunction",
    "convert_argument": "triton.runtime.interpreter:_implicit_cvt",
    "interpreter": "triton.runtime.interpreter",
    "interpreter_builder": "triton.runtime.interpreter:interpreter_builder",
    "is_builtin": "triton.language.core:is_builtin",
    "knobs": "triton.knobs",
    "numpy_dtype": "triton.runtime.interpreter:_get_np_dtype",
    "patch_language": "triton.runtime.interpreter:_patch_lang",
}
"""A name of this module → the object in Triton. Each is resolved when it is first used."""

LOWEST = (3, 6)
"""The lowest version that has these names."""

CONVERTER = ADDRESSES["convert_argument"].partition(":")[2]
"""The name under which the interpreter looks up ``convert_argument`` in each launch."""

if not TYPE_CHECKING:
    __getattr__ = load_names(__name__, ADDRESSES, globals())
else:
    GridExecutor: Any
    InterpretedFunction: Any
    InterpreterError: Any
    JITFunction: Any
    convert_argument: Any
    interpreter: Any
    interpreter_builder: Any
    is_builtin: Any
    knobs: Any
    numpy_dtype: Any
    patch_language: Any


def is_usable() -> bool:
    """Return whether Triton is installed in a version whose interpreter the course can check, without importing it."""
    number = version()
    return number is not None and (number == "" or tuple(map(int, re.findall(r"\d+", number)[:2])) >= LOWEST)


def version() -> str | None:
    """Return the version of the installed Triton; "" if it is unknown, None if there is none."""
    if importlib.util.find_spec("triton") is None:
        return None
    try:
        return importlib.metadata.version("triton")
    except importlib.metadata.PackageNotFoundError:  # a build of another name, such as pytorch-triton
        return ""
