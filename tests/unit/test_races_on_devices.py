"""Races on an accelerator: a lost device ends a race with one sentence, and results are compared exactly."""

from dataclasses import replace

import pytest

from course_utils.frameworks import devices
from course_utils.races import RaceResult, race

torch = pytest.importorskip("torch")

from mock_accelerators import mock_accelerators, replace_method

GONE = "CUDA error: unspecified launch failure"


@pytest.fixture
def away(monkeypatch):
    """Return a device that works until ``away["gone"] = True``."""
    state = {"gone": False}

    def touch(device):
        if state["gone"]:
            raise RuntimeError(GONE)

    mock_accelerators(monkeypatch, "away", run_test_kernel=touch)
    return state


def inputs(size, device):
    return (torch.ones(size),)


def a_race(contender, sizes=(4, 64, 256)):
    return race("on a device", {"loop": lambda x: x * 2, "fast": contender}, inputs, sizes)


def gone_at(size, state):
    def contender(x):
        if len(x) >= size:
            state["gone"] = True
        if state["gone"]:
            raise RuntimeError(GONE)
        return x + x

    return contender


def is_ended_at(size, result):
    notes = {point.note for point in result.points if point.size >= size and point.status in ("failed", "skipped")}
    (note,) = notes
    assert note.startswith(f"The race ended at n = {size} because away stopped working ({GONE}); restart the kernel")
    return True


@pytest.mark.slow
def test_lost_device_ends_the_race_and_earlier_points_stay(away):
    result = a_race(gone_at(64, away)).run(device="away", budget_s=2.0)
    assert [point.status for point in result.points if point.size == 4] == ["measured", "measured"]
    assert is_ended_at(64, result)
    assert {point.status for point in result.points if point.size == 256} == {"skipped"}
    assert result.headline().size == 4
    assert devices.available() == ("cpu",), "from now on recordings replace it"


def test_device_lost_before_timing_ends_the_race(away, monkeypatch):
    calls = []

    def vanishing(device):
        calls.append(device)
        if calls.count("away") > 2:  # The third call comes from the stopwatch, after those for the two contenders.
            away["gone"] = True
            raise RuntimeError(GONE)
        return []

    replace_method(monkeypatch, "synchronizers", vanishing)
    result = a_race(lambda x: x + x).run(device="away", budget_s=0.5)
    assert is_ended_at(4, result)


@pytest.mark.slow
def test_error_of_one_contender_does_not_end_the_race(away):
    def failing(x):
        raise RuntimeError("CUDA error: invalid argument")

    result = a_race(failing).run(device="away", budget_s=0.5)
    assert [result.point("loop", size).status for size in result.sizes] == ["measured"] * 3
    assert "ended" not in result.point("fast", 4).note


def test_full_device_ends_the_race_and_stays_available(away):
    def full(x):
        if len(x) > 4:
            raise RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`")
        return x + x

    result = a_race(full).run(device="away", budget_s=0.5)
    assert [result.point("fast", size).status for size in result.sizes] == ["measured", "memory", "skipped"]
    assert devices.available() == ("cpu", "away")


def test_device_without_memory_for_the_stopwatch_ends_the_race(away, monkeypatch):
    calls = []

    def full(device):
        calls.append(device)
        if calls.count("away") > 1:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 100.00 MiB.")

    replace_method(monkeypatch, "accelerator", full)
    result = a_race(lambda x: x + x).run(device="away", budget_s=0.5)
    assert [result.point("fast", size).status for size in result.sizes] == ["measured", "memory", "skipped"]
    assert result.point("fast", 64).note == "The measurement ran out of memory at n = 64; the race ends here."


def test_results_are_compared_in_exact_arithmetic_but_timed_as_the_learner_set_it():
    seen = []

    def noting(x):
        seen.append(torch.backends.cudnn.allow_tf32)
        return x * 2

    race("tf32", {"loop": lambda x: x * 2, "noting": noting}, inputs, [4]).run(budget_s=0.2)
    assert seen[0] is False and set(seen[1:]) == {True}


def test_result_of_an_accelerator_names_its_driver_and_host(away, monkeypatch):
    monkeypatch.setattr(devices, "driver_version", lambda device: "570.124.06")
    result = a_race(lambda x: x + x, sizes=(4,)).run(device="away", budget_s=0.1)
    assert (result.driver, result.host) == ("570.124.06", devices.describe())
    signed = replace(
        result, machine="NVIDIA H200", device="cuda:0", host="Some CPU, 16 cores", versions={}, date="2026"
    )
    assert signed.signature() == "NVIDIA H200 · cuda:0 · with Some CPU, 16 cores · driver 570.124.06 · 2026"
    assert RaceResult.from_json(result.to_json()) == result
