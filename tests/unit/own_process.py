"""Runs a file of this folder in a process of its own: TensorFlow stays out of a process that holds torch."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest


def said_by_tensorflow(file, timeout_s=120):
    """What ``file``, which is written in TensorFlow, prints; the test fails where it fails, and is skipped without TensorFlow."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    command = [sys.executable, str(Path(__file__).with_name(file))]
    quiet = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout_s, env=quiet)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
