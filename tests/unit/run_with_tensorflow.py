"""Runs TensorFlow scripts of this folder in their own process, so that TensorFlow and torch never share one."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest


def run_with_tensorflow(file, *arguments, timeout_s=120, **environment):
    """Run ``file``, and return the finished process; without TensorFlow, skip the test."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    command = [sys.executable, str(Path(__file__).with_name(file)), *arguments]
    quiet = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"} | environment
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout_s, env=quiet)
