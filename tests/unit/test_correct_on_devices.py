"""A check on an accelerator: device arguments change, too, values are read after a wait, generators stay on the host."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils import tasks
from course_utils.frameworks import tensor_trees
from course_utils.judging import Answer, judge

torch = pytest.importorskip("torch")

from mock_accelerators import mock_accelerators, replace_method
from sample_task import ROW_SUMS

QUICK = {"target": None, "cost": None, "ways": {}, "limits": (), "mistakes": ()}


def verdict_on(function, task):
    return judge(task, Answer(function, task))


def normalized(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    return [(batch.to(device, non_blocking=True) - mean) / std for batch in batches]


def test_device_argument_moves_with_the_tensors():
    moved = tensor_trees.to_device((torch.ones(2), "cpu", [torch.device("cpu")], {"to": "cuda:1"}, "cpus", 3), "meta")
    assert moved[0].device.type == "meta"
    assert moved[1:] == ("meta", [torch.device("meta")], {"to": "meta"}, "cpus", 3)
    assert tensor_trees.to_device(("meta", torch.device("meta")), "cpu") == ("meta", torch.device("meta"))


@pytest.fixture
def sent_to(monkeypatch):
    """Return the devices that inputs were sent to, in order; the mock device "away" keeps them on the host."""
    where = ["cpu"]

    def note_device(leaf, device):
        where.append(device)
        return leaf

    replace_method(monkeypatch, "to_device", note_device)
    return where


def test_solution_with_a_device_argument_is_right_on_an_accelerator(monkeypatch):
    mock_accelerators(monkeypatch, "meta")  # a device that every machine has, and that gives no value back to the host
    replace_method(monkeypatch, "storage_bytes", lambda tensor: b"")
    replace_method(monkeypatch, "shares_memory", lambda one, other: False)
    values_of = lambda tensor: np.zeros(tensor.shape) if tensor.is_meta else tensor.to(torch.float64).numpy()
    replace_method(monkeypatch, "to_numpy", values_of)
    asked = []

    def noting(batches, mean, std, device):
        asked.append((str(mean.device), str(device)))
        return normalized(batches, mean, std, device)

    verdict = verdict_on(noting, replace(tasks.load("normalize_batches"), **QUICK))
    assert verdict.right, verdict.message
    assert ("meta", "meta") in asked and ("meta", "cpu") not in asked


def test_result_is_read_after_it_has_arrived(monkeypatch, sent_to):
    under_way = []

    def arrive():
        for copy in under_way:
            copy()
        under_way.clear()

    mock_accelerators(monkeypatch, "away", synchronizers=lambda device: [arrive] if device == "away" else [])

    def late(x):
        sums = x.sum(1)
        if sent_to[-1] != "away":
            return sums
        result = torch.zeros_like(sums)
        under_way.append(lambda: result.copy_(sums))
        return result

    verdict = verdict_on(late, replace(ROW_SUMS, **QUICK))
    assert verdict.right, verdict.message
    assert "away" in sent_to


def test_results_on_an_accelerator_are_compared_in_exact_arithmetic(monkeypatch, sent_to):
    mock_accelerators(monkeypatch, "away")
    seen = {}

    def noting(x):
        seen.setdefault(sent_to[-1], torch.backends.cudnn.allow_tf32)
        return x.sum(1)

    before = torch.backends.cudnn.allow_tf32
    assert verdict_on(noting, replace(ROW_SUMS, **QUICK)).right
    assert seen == {"cpu": before, "meta": before, "away": False}
    assert torch.backends.cudnn.allow_tf32 == before


@pytest.mark.slow
def test_a_task_with_a_generator_is_judged_on_the_host_alone(monkeypatch):
    mock_accelerators(monkeypatch, "meta")
    task = tasks.load("ratio_interval")
    devices = set()

    def noting(slow_s, fast_s, resamples, generator):
        devices.add(slow_s.device.type)
        return task.slow(slow_s, fast_s, resamples, generator)

    verdict = verdict_on(noting, replace(task, **QUICK))
    assert verdict.right, verdict.message
    assert devices == {"cpu"}
