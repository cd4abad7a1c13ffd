"""A clock or a comparison that code in the kernel replaces is named and restored."""

import sys
import time

import numpy as np
import pytest

judge_sample_task = pytest.importorskip("judge_sample_task")


def test_message_names_every_replaced_tool():
    clock, equal = time.perf_counter, np.array_equal

    def row_sums(x):
        time.perf_counter = lambda: 0.0
        np.array_equal = lambda *_: True
        return x.sum(1)

    message = judge_sample_task.message(row_sums)
    assert message.startswith("time.perf_counter, numpy.array_equal had been replaced, and the check has put")
    assert (time.perf_counter, np.array_equal) == (clock, equal)


def test_a_comparison_that_was_replaced_before_the_check_is_restored():
    torch = sys.modules["torch"]
    equal = torch.equal
    judge_sample_task.judge_answer(lambda x: x.sum(1))
    torch.equal = lambda *_: True
    assert judge_sample_task.message(lambda x: x.sum(1)).startswith("torch.equal had been replaced")
    assert torch.equal is equal
