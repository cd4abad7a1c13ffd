"""What ``compare`` promises on the real clock: one comparison at a time, known intervals, and a sentence for bad input."""

import threading

import numpy as np
import pytest

from course_utils.frameworks.devices import DeviceMissing
from course_utils.timing import ComparisonError, compare, median_interval
from course_utils.timing import compare as compare_function


@pytest.mark.parametrize("rounds", [9, 20, 60])
def test_the_interval_holds_the_median_of_its_source(rounds):
    generator = np.random.default_rng(3)
    held = 0
    for _ in range(200):
        low, high = median_interval(np.exp(generator.normal(0, 0.2, size=rounds)))
        held += low <= 1.0 <= high
    assert held >= 185


def test_the_interval_of_bursts_is_wider_than_that_of_scattered_noise():
    generator = np.random.default_rng(4)
    bursts = np.repeat(generator.normal(1, 0.1, size=10), 6)
    scattered = generator.permutation(bursts)
    (low, high), (left, right) = median_interval(bursts), median_interval(scattered)
    assert high - low > right - left


def test_nine_rounds_give_the_second_of_each_side():
    low, high = median_interval(np.arange(9.0))
    assert low <= 1.0
    assert high >= 7.0


def test_fresh_arguments_are_made_for_each_block():
    made = []

    def arguments():
        made.append(None)
        return ([1, 2, 3],)

    found = compare({"pop": lambda values: values.append(0), "other": len}, arguments, budget_s=0.05)
    assert len(made) >= sum(found.rounds(name) for name in found.samples)


def test_fresh_arguments_that_are_no_tuple_are_told_so():
    with pytest.raises(ComparisonError, match=r"arguments returned 5, which is no tuple"):
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
    found = compare({"a": lambda: None}, cancel=cancel)
    release.set()
    holder.join()
    assert found.cancelled
    assert found.rounds("a") == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: compare({}), "nothing to compare"),
        (lambda: compare(len), "nothing to compare"),
        (lambda: compare({"slow": 3}), "'slow' is 3, which cannot be called"),
        (lambda: compare({"a": len}, 5), "args is 5, which is no tuple"),
        (lambda: compare({"a": len}, np.ones(3)), "write args=(x,) for one argument x"),
        (lambda: compare({"a": len}, lambda: 1 / 0), "makes the arguments raised ZeroDivisionError: division by zero"),
        (lambda: compare({"a": len}, baseline="b"), "'b' is no contender; choose one of: a"),
        (lambda: compare({"a": len}, budget_s=0), "budget of 0"),
        (lambda: compare({"a": len}, budget_s="3"), "budget of '3'"),
        (lambda: compare({"a": len}, threads="2"), "threads='2'"),
        (lambda: compare({"a": len}, min_rounds=1), "min_rounds=1"),
        (lambda: compare({"a": len}, threads=0), "threads=0"),
        (
            lambda: compare({"outer": lambda: compare_function({"inner": int})}, budget_s=0.1).errors["outer"],
            "one thing",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call, words):
    try:
        said = call()
    except ComparisonError as error:
        said = str(error)
    assert words in said
    assert "\n" not in said


def test_a_missing_device_is_named():
    with pytest.raises(DeviceMissing, match="no device 'cuda:7' on this machine; choose one of: cpu"):
        compare({"a": len}, ([],), device="cuda:7")
