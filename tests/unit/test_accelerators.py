"""An accelerator that counts but does not work is left out and told; so are exact arithmetic, memory, drivers and Macs."""

import ctypes
import subprocess
import sys

import pytest

from course_utils import frameworks
from course_utils.frameworks import device_check, devices, driver, processor

torch = pytest.importorskip("torch")

from pretended_accelerators import TORCH, counted

TOO_OLD = "The NVIDIA driver on your system is too old (found version 11040)."
UNSUPPORTED = "CUDA error: no kernel image is available for execution on the device\nCompile with more."
FULL = "CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported."


@pytest.fixture
def cuda(monkeypatch):
    """torch itself, told that it counts a card; a function that lets whatever is made there raise, or not."""
    monkeypatch.setattr(device_check, "_found", {})
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: waited.append(device))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "NVIDIA Pretended")
    ones, waited, made = torch.ones, [], []

    def kernels(message=None):
        def make(*shape, device=None, **rest):
            made.append(device)
            if device is not None and message is not None:
                raise RuntimeError(message)
            return ones(*shape, **rest)

        monkeypatch.setattr(torch, "ones", make)

    kernels.waited, kernels.made = waited, made
    return kernels


@pytest.mark.parametrize("message", [TOO_OLD, UNSUPPORTED, FULL], ids=["driver", "card", "memory"])
def test_a_card_that_counts_and_starts_no_kernel_is_left_out_with_the_reason(cuda, message):
    cuda(message)
    assert devices.available() == ("cpu",)
    assert list(devices.refused()) == ["cuda:0"]
    assert devices.refused()["cuda:0"].reason == message.splitlines()[0].rstrip(".")
    with pytest.raises(devices.DeviceMissing) as told:
        devices.require("cuda")
    sentence = str(told.value)
    assert "\n" not in sentence
    assert sentence.startswith("The device 'cuda' does not work (") and sentence.endswith("or choose one of: cpu.")
    assert ("end what else uses its memory" in sentence) == (message is FULL)


def test_a_card_is_tried_once_and_waited_for(cuda):
    cuda()
    assert devices.available() == devices.available("torch") == ("cpu", "cuda:0")
    assert devices.refused() == {} and devices.require("cuda") == "cuda:0"
    assert cuda.made == cuda.waited == ["cuda:0"]


def test_a_card_that_fails_only_when_it_is_waited_for_is_left_out(cuda, monkeypatch):
    cuda()

    def refuse(device):
        raise RuntimeError(UNSUPPORTED)

    monkeypatch.setattr(torch.cuda, "synchronize", refuse)
    assert devices.available() == ("cpu",)


def test_a_card_that_vanishes_is_lost_and_one_that_is_full_is_not(cuda):
    cuda()
    assert devices.available() == ("cpu", "cuda:0")
    assert devices.lost("cuda:0") is None and devices.lost("cpu") is None
    cuda(FULL)
    assert devices.lost("cuda:0") is None
    cuda("CUDA error: unspecified launch failure")
    assert devices.lost("cuda:0").reason == "CUDA error: unspecified launch failure"
    assert devices.available() == ("cpu",)


def test_one_framework_may_use_what_another_cannot(monkeypatch):
    counted(monkeypatch, "cuda:0", touch=lambda device: None)
    other = type("Other", (type(frameworks.PLAIN),), {"name": "other"})()
    monkeypatch.setattr(other, "accelerators", lambda: ["cuda:0", "cuda:1"])
    monkeypatch.setattr(frameworks, "loaded", lambda: (other, TORCH))
    assert devices.available() == ("cpu", "cuda:0") and devices.available("other") == ("cpu",)
    assert list(devices.refused()) == ["cuda:1"]


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
def test_memory_of_a_card_that_ran_out_is_recognized(message, is_memory):
    assert devices.out_of_memory(RuntimeError(message)) is is_memory


def precisions():
    backends = torch.backends
    found = [backends.cudnn.allow_tf32, backends.cuda.matmul.allow_tf32, torch.get_float32_matmul_precision()]
    places = [getattr(backends.cudnn, "conv", None), backends.cuda.matmul, getattr(backends.mkldnn, "matmul", None)]
    return found + [getattr(place, "fp32_precision", None) for place in places]


@pytest.mark.parametrize("chosen", ["highest", "high", "medium"])
def test_arithmetic_is_exact_inside_the_block_and_the_learners_again_behind_it(chosen):
    first = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(chosen)
    try:
        before = precisions()
        with pytest.raises(KeyError), devices.exact():
            assert not torch.backends.cudnn.allow_tf32 and torch.get_float32_matmul_precision() == "highest"
            with torch.backends.cudnn.flags(benchmark=True):  # reads what the block has set
                raise KeyError
        assert precisions() == before
    finally:
        torch.set_float32_matmul_precision(first)


@pytest.mark.skipif(not hasattr(torch.backends, "fp32_precision"), reason="this torch has no new settings")
def test_exact_arithmetic_knows_torchs_new_settings_too():
    backends = torch.backends
    first = backends.cuda.matmul.fp32_precision
    backends.cuda.matmul.fp32_precision = "tf32"  # from here on the old settings cannot be read
    try:
        with devices.exact():
            assert backends.cuda.matmul.fp32_precision == backends.cudnn.conv.fp32_precision == "ieee"
        assert (backends.cuda.matmul.fp32_precision, backends.cudnn.conv.fp32_precision) == ("tf32", "tf32")
    finally:
        backends.cuda.matmul.fp32_precision = first


def test_a_mac_is_called_by_its_processors_name(monkeypatch):
    asked = []

    def run(command, **_):
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, "Apple M2\n", "")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(processor.platform, "processor", lambda: "arm")
    monkeypatch.setattr(subprocess, "run", run)
    assert processor.processor.__wrapped__() == "Apple M2"
    assert asked == [("sysctl", "-n", "machdep.cpu.brand_string")]


def test_a_mac_that_does_not_answer_keeps_pythons_name(monkeypatch):
    def run(command, **_):
        raise FileNotFoundError

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(processor.platform, "processor", lambda: "arm")
    monkeypatch.setattr(subprocess, "run", run)
    assert processor.processor.__wrapped__() == "arm"


class Library:
    """NVIDIA's library, as far as it is asked."""

    def __init__(self, starts):
        self.nvmlInit_v2 = lambda: 0 if starts else 9
        self.nvmlShutdown = lambda: 0

    def nvmlSystemGetDriverVersion(self, buffer, length):
        buffer.value = b"570.124.06"
        return 0


@pytest.mark.parametrize(("starts", "version"), [(True, "570.124.06"), (False, "")])
def test_the_driver_tells_its_version(monkeypatch, starts, version):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: Library(starts))
    assert driver.nvidia_driver.__wrapped__() == version


def test_a_machine_without_a_driver_has_no_version_of_one(monkeypatch):
    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert driver.nvidia_driver.__wrapped__() == devices.driver("cpu") == ""
