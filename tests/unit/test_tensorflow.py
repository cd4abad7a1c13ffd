"""TensorFlow implements every method of ``Framework``, and its code is counted and explained."""

import json

import pytest
from own_process import run_with_tensorflow

pytestmark = pytest.mark.process

# The first one requires that nothing else is loaded; the last one replaces this machine's limits.
SCRIPTS = ("tensorflow_seam.py", "tensorflow_counts.py", "tensorflow_explain.py")


@pytest.fixture(scope="module")
def tracebacks():
    """Script → its traceback, or "". All of them run in one process."""
    done = run_with_tensorflow("tensorflow_scripts.py", *SCRIPTS, timeout_s=280)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_assertion_of_a_script_holds(script, tracebacks):
    assert not tracebacks[script], tracebacks[script][-2000:]
