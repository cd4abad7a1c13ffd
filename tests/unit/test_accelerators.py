"""Accelerators that do not work, full precision, missing memory, the driver's version and the names of Macs."""

import ctypes
import subprocess
import sys

import pytest

from course_utils import frameworks
from course_utils.frameworks import across_frameworks, device_check, devices, hardware

torch = pytest.importorskip("torch")

from mock_accelerators import TORCH, mock_accelerators

TOO_OLD = "The NVIDIA driver on your system is too old (found version 11040)."
UNSUPPORTED = "CUDA error: no kernel image is available for execution on the device\nCompile with more."
FULL = "CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported."


@pytest.fixture
def cuda(monkeypatch):
    """Return a function that gives torch a mock card whose kernels raise an error, or none."""
    monkeypatch.setattr(device_check, "_problems", {})
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: synchronized.append(device))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "NVIDIA Mock")
    ones, synchronized, created = torch.ones, [], []

    def kernels(message=None):
        def make(*shape, device=None, **rest):
            created.append(device)
            if device is not None and message is not None:
                raise RuntimeError(message)
            return ones(*shape, **rest)

        monkeypatch.setattr(torch, "ones", make)

    kernels.synchronized, kernels.created = synchronized, created
    return kernels


@pytest.mark.parametrize("message", [TOO_OLD, UNSUPPORTED, FULL], ids=["driver", "card", "memory"])
def test_card_that_runs_no_kernel_is_left_out_with_the_reason(cuda, message):
    cuda(message)
    assert devices.available() == ("cpu",)
    assert list(devices.broken()) == ["cuda:0"]
    assert devices.broken()["cuda:0"].reason == message.splitlines()[0].rstrip(".")
    with pytest.raises(devices.DeviceMissing) as raised:
        devices.require("cuda")
    sentence = str(raised.value)
    assert "\n" not in sentence
    assert sentence.startswith("The device 'cuda' does not work (") and sentence.endswith("or choose one of: cpu.")
    assert ("end other programs that use its memory" in sentence) == (message is FULL)


def test_card_is_tested_once_and_synchronized(cuda):
    cuda()
    assert devices.available() == devices.available("torch") == ("cpu", "cuda:0")
    assert devices.broken() == {} and devices.require("cuda") == "cuda:0"
    assert cuda.created == cuda.synchronized == ["cuda:0"]


def test_card_that_fails_at_synchronization_is_left_out(cuda, monkeypatch):
    cuda()

    def refuse(device):
        raise RuntimeError(UNSUPPORTED)

    monkeypatch.setattr(torch.cuda, "synchronize", refuse)
    assert devices.available() == ("cpu",)


def test_recheck_reports_a_vanished_card_but_no_full_one(cuda):
    cuda()
    assert devices.available() == ("cpu", "cuda:0")
    assert devices.recheck("cuda:0") is None and devices.recheck("cpu") is None
    cuda(FULL)
    assert devices.recheck("cuda:0") is None
    cuda("CUDA error: unspecified launch failure")
    assert devices.recheck("cuda:0").reason == "CUDA error: unspecified launch failure"
    assert devices.available() == ("cpu",)


def test_one_framework_may_use_a_device_that_another_cannot(monkeypatch):
    mock_accelerators(monkeypatch, "cuda:0", run_test_kernel=lambda device: None)
    other = type("Other", (type(frameworks.NO_FRAMEWORK),), {"name": "other"})()
    monkeypatch.setattr(other, "accelerators", lambda: ["cuda:0", "cuda:1"])
    monkeypatch.setattr(frameworks, "loaded", lambda: (other, TORCH))
    assert devices.available() == ("cpu", "cuda:0") and devices.available("other") == ("cpu",)
    assert list(devices.broken()) == ["cuda:1"]


@pytest.mark.parametrize(
    ("message", "is_memory"),
    [
        (FULL, True),
        ("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", True),
        ("MPS backend out of memory (MPS allocated: 18.0 GB, max allowed: 18.1 GB).", True),
        ("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm`", False),
        (UNSUPPORTED, False),
    ],
)
def test_out_of_memory_of_a_card_is_recognized(message, is_memory):
    assert across_frameworks.is_out_of_memory(RuntimeError(message)) is is_memory


def precisions():
    backends = torch.backends
    settings = [backends.cudnn.allow_tf32, backends.cuda.matmul.allow_tf32, torch.get_float32_matmul_precision()]
    places = [getattr(backends.cudnn, "conv", None), backends.cuda.matmul, getattr(backends.mkldnn, "matmul", None)]
    return settings + [getattr(place, "fp32_precision", None) for place in places]


@pytest.mark.parametrize("chosen", ["highest", "high", "medium"])
def test_full_precision_holds_inside_the_block_only(chosen):
    first = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(chosen)
    try:
        before = precisions()
        with pytest.raises(KeyError), across_frameworks.full_precision():
            assert not torch.backends.cudnn.allow_tf32 and torch.get_float32_matmul_precision() == "highest"
            with torch.backends.cudnn.flags(benchmark=True):  # It reads the settings of the block.
                raise KeyError
        assert precisions() == before
    finally:
        torch.set_float32_matmul_precision(first)


@pytest.mark.skipif(not hasattr(torch.backends, "fp32_precision"), reason="this version of torch has no new settings")
def test_full_precision_covers_torchs_new_settings():
    backends = torch.backends
    first = backends.cuda.matmul.fp32_precision
    backends.cuda.matmul.fp32_precision = "tf32"  # From here on torch refuses to read the old settings.
    try:
        with across_frameworks.full_precision():
            assert backends.cuda.matmul.fp32_precision == backends.cudnn.conv.fp32_precision == "ieee"
        assert (backends.cuda.matmul.fp32_precision, backends.cudnn.conv.fp32_precision) == ("tf32", "tf32")
    finally:
        backends.cuda.matmul.fp32_precision = first


def test_mac_is_named_by_its_processor(monkeypatch):
    asked = []

    def run(command, **_):
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, "Apple M2\n", "")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(hardware.platform, "processor", lambda: "arm")
    monkeypatch.setattr(subprocess, "run", run)
    assert hardware.cpu_name.__wrapped__() == "Apple M2"
    assert asked == [("sysctl", "-n", "machdep.cpu.brand_string")]


def test_mac_without_sysctl_keeps_pythons_name(monkeypatch):
    def run(command, **_):
        raise FileNotFoundError

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(hardware.platform, "processor", lambda: "arm")
    monkeypatch.setattr(subprocess, "run", run)
    assert hardware.cpu_name.__wrapped__() == "arm"


class Library:
    """The part of NVIDIA's management library that is called."""

    def __init__(self, starts):
        self.nvmlInit_v2 = lambda: 0 if starts else 9
        self.nvmlShutdown = lambda: 0

    def nvmlSystemGetDriverVersion(self, buffer, length):
        buffer.value = b"570.124.06"
        return 0


@pytest.mark.parametrize(("starts", "version"), [(True, "570.124.06"), (False, "")])
def test_driver_version_comes_from_nvidias_library(monkeypatch, starts, version):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: Library(starts))
    assert hardware.nvidia_driver_version.__wrapped__() == version


def test_missing_driver_has_no_version(monkeypatch):
    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert hardware.nvidia_driver_version.__wrapped__() == devices.driver_version("cpu") == ""
