"""``SimulatedDevice`` works after ``run`` has returned, and its log bounds every correct reading of a stopwatch."""

from time import perf_counter, sleep

import pytest

from course_utils.tasks.simulated_device import SimulatedDevice, run_and_wait


@pytest.mark.slow
def test_run_returns_before_the_work_is_done_and_wait_does_not():
    device = SimulatedDevice([0.5], warm_up=0)  # longer than another program may delay `run`
    start = perf_counter()
    device.run()
    asked = perf_counter() - start
    device.wait()
    assert asked < 0.5 <= perf_counter() - start


def test_work_queues_up():
    device = SimulatedDevice([0.01, 0.02], warm_up=0)
    start = perf_counter()
    device.run()
    device.run()
    device.wait()
    assert perf_counter() - start >= 0.03


def test_the_first_call_takes_longer():
    device = SimulatedDevice([0.001], warm_up=0.3)
    device.run()
    device.wait()
    device.run()
    device.wait()
    first, second = device.samples(perf_counter())
    assert first.shortest >= 0.301
    assert second.shortest < first.shortest


@pytest.mark.parametrize("delay", [0.0, 0.004], ids=["at once", "put to sleep in between"])
def test_correct_reading_is_within_its_sample(delay):
    device = SimulatedDevice([0.001, 0.002, 0.003], warm_up=0)
    readings = []
    for _ in range(3):
        start = perf_counter()
        sleep(delay)
        device.run()
        device.wait()
        sleep(delay)
        readings.append(perf_counter() - start)
    for reading, sample in zip(readings, device.samples(perf_counter())):
        assert sample.shortest <= reading
    for reading, sample in list(zip(readings, device.samples(perf_counter())))[1:]:
        assert reading <= sample.longest


def test_call_without_a_wait_has_no_sample():
    device = SimulatedDevice([0.001], warm_up=0)
    device.run()
    device.run()
    device.wait()
    first, second = device.samples(perf_counter())
    assert first is None
    assert second is not None
    assert (device.runs, device.waits) == (2, 1)


def test_a_device_that_was_never_used_has_no_samples():
    assert SimulatedDevice([0.001], warm_up=0).samples(perf_counter()) == []


def test_work_begins_when_the_call_returns():
    run, wait = run_and_wait(0.003, call=0.002)
    device = run.__self__
    run()
    wait()
    assert device.longest_run >= 0.002
    assert device.longest_wait > 0.0
    (sample,) = device.samples(perf_counter())
    assert sample.shortest >= 0.005


def test_a_new_log_begins_with_a_wait():
    run, wait = run_and_wait(0.001)
    device = run.__self__
    run()
    wait()
    before = perf_counter()
    device.restart_log()
    assert (device.runs, device.waits) == (0, 1)
    run()
    wait()
    device.close_log()
    (sample,) = device.samples(device.closed_at)
    assert 0.001 <= sample.shortest <= sample.longest <= device.closed_at - before
