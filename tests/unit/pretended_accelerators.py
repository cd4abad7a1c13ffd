"""Pretended accelerators of torch, because a test's machine may have none."""

from course_utils import frameworks
from course_utils.frameworks import device_check

TORCH = frameworks.by_name("torch")


def counted(monkeypatch, *names, run_test_kernel=lambda device: None, synchronizers=lambda device: []):
    """Let torch list the devices ``names``, with the given methods; they have no caches to flush."""
    monkeypatch.setattr(device_check, "_problems", {})
    monkeypatch.setattr(TORCH, "accelerators", lambda: list(names))
    monkeypatch.setattr(TORCH, "run_test_kernel", run_test_kernel)
    monkeypatch.setattr(TORCH, "synchronizers", synchronizers)
    monkeypatch.setattr(TORCH, "accelerator", lambda device: None)
