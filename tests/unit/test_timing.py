"""``compare`` on the real clock: one comparison at a time, calibrated intervals, one sentence for bad input."""

import threading

import numpy as np
import pytest
import torch
from mock_accelerators import mock_accelerators, replace_method

from course_utils.frameworks.devices import DeviceMissing
from course_utils.timing import ComparisonError, compare, median_interval
from course_utils.timing import compare as compare_function


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [9, 20, 60])
def test_the_interval_contains_the_true_median(rounds):
    generator = np.random.default_rng(3)
    covered = 0
    for _ in range(100):
        low, high = median_interval(np.exp(generator.normal(0, 0.2, size=rounds)))
        covered += low <= 1.0 <= high
    assert covered >= 92


def test_noise_in_bursts_gives_a_wider_interval():
    generator = np.random.default_rng(4)
    bursts = np.repeat(generator.normal(1, 0.1, size=10), 6)
    scattered = generator.permutation(bursts)
    (low, high), (left, right) = median_interval(bursts), median_interval(scattered)
    assert high - low > right - left


def test_nine_rounds_span_the_second_lowest_to_the_second_highest():
    low, high = median_interval(np.arange(9.0))
    assert low <= 1.0
    assert high >= 7.0


def test_new_arguments_are_made_for_each_block():
    calls = []

    def arguments():
        calls.append(None)
        return ([1, 2, 3],)

    result = compare({"pop": lambda values: values.append(0), "other": len}, arguments, budget_s=0.05)
    assert len(calls) >= sum(result.rounds(name) for name in result.samples)


def test_new_arguments_must_be_a_tuple():
    with pytest.raises(ComparisonError, match=r"arguments returned 5, which is not a tuple"):
        compare({"a": abs}, lambda: 5, budget_s=0.05)


def test_one_comparison_at_a_time():
    inside, overlaps = threading.Lock(), []

    def contender():
        overlaps.append(not inside.acquire(blocking=False))
        if not overlaps[-1]:
            inside.release()

    workers = [threading.Thread(target=compare, args=({"a": contender},), kwargs={"budget_s": 0.1}) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert overlaps
    assert not any(overlaps)


def test_a_waiting_comparison_can_be_cancelled():
    cancel, holding, release = threading.Event(), threading.Event(), threading.Event()

    def hold():
        holding.set()
        release.wait(30)

    holder = threading.Thread(target=compare, args=({"hold": hold},), kwargs={"budget_s": 0.01})
    holder.start()
    holding.wait(30)
    cancel.set()
    result = compare({"a": lambda: None}, cancel=cancel)
    release.set()
    holder.join()
    assert result.cancelled
    assert result.rounds("a") == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: compare({}), "nothing to compare"),
        (lambda: compare(len), "nothing to compare"),
        (lambda: compare({"slow": 3}), "'slow' is 3, which is not a function"),
        (lambda: compare({"a": len}, 5), "args is 5, which is not a tuple"),
        (lambda: compare({"a": len}, np.ones(3)), "write args=(x,) for one argument x"),
        (lambda: compare({"a": len}, lambda: 1 / 0), "makes the arguments raised ZeroDivisionError: division by zero"),
        (lambda: compare({"a": len}, baseline="b"), "'b' is not a contender; choose one of: a"),
        (lambda: compare({"a": len}, budget_s=0), "budget_s must be above 0; got 0"),
        (lambda: compare({"a": len}, budget_s="3"), "got '3'"),
        (lambda: compare({"a": len}, threads="2"), "got '2'"),
        (lambda: compare({"a": len}, min_rounds=1), "2 or more; got 1"),
        (lambda: compare({"a": len}, threads=0), "1 or more; got 0"),
        (
            lambda: compare({"outer": lambda: compare_function({"inner": int})}, budget_s=0.1).errors["outer"],
            "one thing",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call, words):
    try:
        message = call()
    except ComparisonError as error:
        message = str(error)
    assert words in message
    assert "\n" not in message


def test_a_missing_device_is_named():
    with pytest.raises(DeviceMissing, match="no device 'cuda:7' on this machine; choose one of: cpu"):
        compare({"a": len}, ([],), device="cuda:7")


def test_tensors_are_timed_on_their_device(monkeypatch):
    mock_accelerators(monkeypatch, "away")
    replace_method(monkeypatch, "device_of", lambda tensor: "away")
    assert compare({"a": torch.neg}, (torch.ones(2),), budget_s=0.1).device == "away"
