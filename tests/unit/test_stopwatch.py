"""Stopwatches: no host time hides behind a flush, all streams count, and every accelerator is timed cold."""

import pytest
from simulated_accelerator import FLUSH_S, LAUNCH_S, MARK_S, WAIT_S, SimulatedAccelerator

from course_utils import frameworks
from course_utils.frameworks import device_check
from course_utils.frameworks.accelerator_interface import DEFAULT_FLUSH_BYTES
from course_utils.frameworks.torch_accelerator import TorchAccelerator
from course_utils.timing import ComparisonError, compare, stopwatch
from course_utils.timing.stopwatch import ColdStopwatch, WarmStopwatch

torch = pytest.importorskip("torch")

both_kinds = pytest.mark.parametrize("has_marks", [True, False], ids=["events", "host clock"])


def clock_of(accelerator):
    return ColdStopwatch(accelerator, [accelerator.wait], accelerator.now)


@both_kinds
@pytest.mark.parametrize("count", [1, 2, 10, 100])
def test_launches_take_at_least_their_host_time(has_marks, count):
    device = SimulatedAccelerator(has_marks)
    read = clock_of(device).block(device.launches(count, 1e-6), (), 20) / 20
    assert count * LAUNCH_S <= read <= count * LAUNCH_S + 1e-6 + 2 * MARK_S


@both_kinds
@pytest.mark.parametrize("seconds", [1e-6, 20e-6, 3e-3])
def test_host_only_work_reads_its_time(has_marks, seconds):
    device = SimulatedAccelerator(has_marks)
    read = clock_of(device).block(lambda: device.compute(seconds), (), 20) / 20
    assert seconds * (1 - 1e-9) <= read <= seconds + 2 * MARK_S


@both_kinds
def test_a_long_kernel_reads_its_device_time(has_marks):
    device = SimulatedAccelerator(has_marks)
    read = clock_of(device).block(device.launches(3, 1e-3), (), 5) / 5
    assert read == pytest.approx(3e-3, rel=0.01)


@both_kinds
@pytest.mark.parametrize("side_s", [20e-6, 5e-3])
def test_work_on_side_streams_counts(has_marks, side_s):
    device = SimulatedAccelerator(has_marks)

    def contender():
        device.launch(2e-6)
        device.launch(side_s, stream="side")

    read = clock_of(device).block(contender, (), 10) / 10
    assert 2 * LAUNCH_S + side_s <= read * (1 + 1e-9) <= 2 * LAUNCH_S + side_s + 2 * MARK_S + 2 * WAIT_S


def test_a_side_stream_that_ends_first_adds_nothing():
    device = SimulatedAccelerator()

    def contender():
        device.launch(10e-6, stream="side")
        device.launch(100e-6)

    read = clock_of(device).block(contender, (), 10) / 10
    assert read == pytest.approx(2 * LAUNCH_S + 100e-6, abs=2 * MARK_S)


@both_kinds
def test_caches_are_flushed_and_the_device_is_idle_before_every_call(has_marks):
    device = SimulatedAccelerator(has_marks)
    clock = clock_of(device)
    device.log.clear()
    clock.block(device.launches(1, 1e-6), (), 3)
    one = ["flush", "wait", "mark", "call", "mark", "wait"] if has_marks else ["flush", "wait", "call", "wait"]
    assert device.log == 3 * one


@both_kinds
def test_the_flush_is_not_measured(has_marks):
    quick, slow = SimulatedAccelerator(has_marks), SimulatedAccelerator(has_marks, flush_s=100 * FLUSH_S)
    readings = [clock_of(device).block(device.launches(4, 3e-6), (), 10) for device in (quick, slow)]
    assert readings[0] == pytest.approx(readings[1])
    assert slow.now() > quick.now() + 10 * 99 * FLUSH_S * 0.99


@both_kinds
def test_an_empty_call_takes_more_than_zero(has_marks):
    device = SimulatedAccelerator(has_marks)
    assert 0 < clock_of(device).block(lambda: None, (), 10) / 10 <= 2 * MARK_S


class TestStopwatchOfADevice:
    """The real framework chooses the stopwatch; its library has a mock device."""

    def mock_devices(self, monkeypatch, *names):
        real = torch.empty
        monkeypatch.setattr(type(frameworks.by_name("torch")), "accelerators", lambda self: list(names))
        monkeypatch.setattr(device_check, "_problems", {("torch", name): None for name in names})  # they work
        monkeypatch.setattr(frameworks, "loaded", lambda: (frameworks.by_name("torch"),))
        monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: type("P", (), {"L2_cache_size": 2**20}))
        monkeypatch.setattr(torch.cuda, "synchronize", lambda device=None: None)
        monkeypatch.setattr(torch.mps, "synchronize", lambda: None)
        monkeypatch.setattr(torch.cuda, "device", lambda device: torch.device("cpu"))
        monkeypatch.setattr(torch, "empty", lambda *size, device=None, **rest: real(*size, device="cpu", **rest))

    def test_the_cpu_is_timed_warm(self):
        assert isinstance(stopwatch("cpu"), WarmStopwatch)

    @pytest.mark.parametrize("device", ["cuda:0", "mps"])
    def test_every_accelerator_is_timed_cold(self, monkeypatch, device):
        self.mock_devices(monkeypatch, device)
        monkeypatch.setattr(torch.cuda, "Event", lambda enable_timing: enable_timing)
        assert isinstance(stopwatch(device), ColdStopwatch)
        accelerator = frameworks.by_name("torch").accelerator(device)
        assert accelerator.event_pair() == ((True, True) if device == "cuda:0" else None)
        assert accelerator.flush_caches().nbytes == (2 * 2**20 if device == "cuda:0" else DEFAULT_FLUSH_BYTES)

    def test_a_device_too_full_to_flush_gets_a_sentence(self, monkeypatch):
        self.mock_devices(monkeypatch, "cuda:0")

        def raise_out_of_memory(*size, **rest):
            raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate 2 MiB.")

        monkeypatch.setattr(torch, "empty", raise_out_of_memory)
        with pytest.raises(ComparisonError) as raised:
            compare({"a": len}, ([],), device="cuda:0")
        assert str(raised.value) == (
            "'cuda:0' cannot be timed: OutOfMemoryError: CUDA out of memory; "
            "free some of its memory or choose another device."
        )


@pytest.mark.slow
def test_torchs_flush_writes_every_byte():
    accelerator = TorchAccelerator(torch, "cpu")
    written = accelerator.flush_caches()
    assert written.nbytes == DEFAULT_FLUSH_BYTES
    written.fill_(1)
    assert not accelerator.flush_caches().any()
