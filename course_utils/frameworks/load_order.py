"""The order in which a process must load libraries that don't work together otherwise."""

import importlib.util
import sys


def load_triton_first() -> None:
    """Load Triton if it is installed; call it before code that loads both TensorFlow and PyTorch's compiler.

    PyTorch's compiler imports Triton. If TensorFlow is loaded before Triton, that import crashes the process
    (TensorFlow 2.21, Triton 3.7.1). The other order works.
    """
    if "tensorflow" not in sys.modules and importlib.util.find_spec("triton") is not None:
        importlib.import_module("triton")


def can_load_triton() -> bool:
    """Return whether an import of Triton is safe in this process; see ``load_triton_first``."""
    return "triton" in sys.modules or "tensorflow" not in sys.modules
