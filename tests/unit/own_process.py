"""Runs a TensorFlow script of this folder in its own process, so that TensorFlow and torch never share one."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest


def run_with_tensorflow(file, timeout_s=120):
    """The output of ``file``; the test fails if the script fails, and is skipped without TensorFlow."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    command = [sys.executable, str(Path(__file__).with_name(file))]
    quiet = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout_s, env=quiet)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
