"""A check in TensorFlow, in a process of its own: what TensorFlow would write to the page stays off it."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

pytest.importorskip("tensorflow")


def test_remarks_on_frequent_tracing_stay_off_the_page_while_a_check_lasts():
    script = (
        "import tensorflow as tf\n"
        "from course_utils import tasks\n"
        "from course_utils.judging import Answer, judge\n"
        "task = tasks.load('descend')\n"
        "assert 'traced' in judge(task, Answer(task.slow, task)).message\n"
        "print('judged')\n"
        "for rate in range(9): task.slow(tf.ones([2]), float(rate))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "judged\n"
    assert done.stderr.count("triggered tf.function retracing") <= 2, (
        "only the calls after the check may be remarked on"
    )


@pytest.mark.process
def test_a_tensorflow_answer_is_judged_as_a_torch_one_is():
    # In a process of its own: one process, one framework.
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    command = [sys.executable, str(Path(__file__).with_name("tensorflow_checks.py"))]
    quiet = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=240, env=quiet)
    assert done.returncode == 0, done.stderr[-2000:]
