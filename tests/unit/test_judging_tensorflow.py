"""A check in TensorFlow, in a process of its own: TensorFlow writes nothing to the page."""

import subprocess
import sys

import pytest
from own_process import run_with_tensorflow

from course_utils import frameworks

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif("tensorflow" not in frameworks.installed_versions(), reason="TensorFlow is not installed"),
]


def test_check_hides_warnings_of_frequent_tracing():
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
    run_with_tensorflow("tensorflow_checks.py", timeout_s=240)
