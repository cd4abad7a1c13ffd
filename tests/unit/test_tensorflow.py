"""TensorFlow implements every method of ``Framework``; its code is counted, judged and explained."""

import json

import pytest
from run_with_tensorflow import run_with_tensorflow

pytestmark = pytest.mark.slow

# The first script requires that nothing else is loaded; the last one replaces this machine's limits.
SCRIPTS = (
    "tensorflow_interface.py",
    "tensorflow_counts.py",
    "tensorflow_checks.py",
    "explained_functions_tensorflow.py",
    "tensorflow_explain.py",
)
# With one thread, as in torch, the limits that other tests have measured apply.
ONE_THREAD = dict.fromkeys(("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"), "1")


@pytest.fixture(scope="module")
def process():
    """Return the process that has run all scripts."""
    process = run_with_tensorflow("run_scripts.py", *SCRIPTS, timeout_s=280, **ONE_THREAD)
    assert process.returncode == 0, process.stderr[-2000:]
    return process


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_assertion_of_a_script_holds(script, process):
    traceback = json.loads(process.stdout.splitlines()[-1])[script]
    assert not traceback, traceback[-2000:]


def test_check_hides_warnings_of_frequent_tracing(process):
    assert process.stdout.splitlines()[:-1] == ["judged"]
    _, rest = process.stderr.split("tensorflow_checks.py\n")
    written, _ = rest.split("explained_functions_tensorflow.py\n")
    assert written.count("triggered tf.function retracing") <= 2, "only the calls outside the checks may be remarked on"
