"""`explain` blames Python's other code for a line, and not the short reads of values in it."""

import io
import logging
import time

import numpy as np
import pytest
import torch
from load_tolerance import in_one_of_three_attempts
from sample_limits import PEAKS

from course_utils import explain, limits
from course_utils.explaining import profiler
from course_utils.timing.core_time import measure_core_time

LOG = logging.getLogger("test_explain_python")
LOG.propagate = False
LOG.setLevel(logging.INFO)
LOG.addHandler(logging.StreamHandler(io.StringIO()))
LOG.handlers[0].setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))


def log_losses(losses):
    for step, loss in enumerate(losses.unbind()):
        LOG.info("step %d loss %.4f", step, loss.item())


def collect_losses(losses):
    collected = []
    for loss in losses.unbind():
        collected.append(loss.item())
    return collected


NAMES = [f"species {number}" for number in range(10)]


def collect_names(guesses):
    names = []
    for guess in guesses.long().unbind():
        names.append(NAMES[guess])
    return names


@in_one_of_three_attempts
def test_a_list_that_is_indexed_by_tensors_reads_their_values(monkeypatch):
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.3)
    (line,) = (each for each in explain(collect_names, torch.rand(500)).lines if "append" in each.source)
    assert line.reason == "syncs" and "500 times" in line.finding, line


def share_memory(array):
    x = torch.from_numpy(array)
    return x + 1


def test_a_tensor_that_shares_an_arrays_memory_reads_no_value(monkeypatch):
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.3)
    explanation = explain(share_memory, np.ones(500, np.float32))
    assert not any(line.counts.syncs for line in explanation.lines), explanation


def wait(x):
    time.sleep(0.02)
    return x + 1


def test_a_line_that_waits_is_not_pythons_work(monkeypatch):
    if measure_core_time(lambda: time.sleep(0.01)).waited_s is None:
        pytest.skip("the system does not report it")
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.3)
    line = explain(wait, torch.ones(5)).costliest
    assert line.reason == "unknown" and "a wait (for a file" in line.finding and "py-spy" in line.advice, line


@pytest.mark.parametrize(("function", "reason"), [(log_losses, "python"), (collect_losses, "syncs")])
@in_one_of_three_attempts
def test_a_line_that_logs_a_value_works_in_python_and_one_that_keeps_it_reads_it(monkeypatch, function, reason):
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.3)
    (line,) = (each for each in explain(function, torch.rand(500)).lines if ".item()" in each.source)
    assert line.reason == reason, line
    if reason == "python":
        assert "on values that `.item()` reads" in line.finding, line
