"""A check in TensorFlow, in a process of its own: it judges as in torch, and TensorFlow writes nothing to the page."""

import pytest
from own_process import run_with_tensorflow

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def checked():
    """The process that judges TensorFlow answers, after it has ended."""
    return run_with_tensorflow("tensorflow_checks.py", timeout_s=240)


def test_a_tensorflow_answer_is_judged_as_a_torch_one_is(checked):
    assert checked.returncode == 0, checked.stderr[-2000:]


def test_check_hides_warnings_of_frequent_tracing(checked):
    assert checked.stdout == "judged\n"
    assert checked.stderr.count("triggered tf.function retracing") <= 2, (
        "only the calls outside the checks may be remarked on"
    )
