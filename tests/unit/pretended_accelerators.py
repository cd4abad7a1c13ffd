"""Devices that torch is told to count for one test, since a test's machine may have no accelerator of its own."""

from course_utils import frameworks
from course_utils.frameworks import device_check

TORCH = frameworks.named("torch")


def counted(monkeypatch, *names, touch=lambda device: None, waiters=lambda device: []):
    """Let torch count the devices ``names``; ``touch`` and ``waiters`` are what it does with them. They have no caches."""
    monkeypatch.setattr(device_check, "_found", {})
    monkeypatch.setattr(TORCH, "accelerators", lambda: list(names))
    monkeypatch.setattr(TORCH, "touch", touch)
    monkeypatch.setattr(TORCH, "waiters", waiters)
    monkeypatch.setattr(TORCH, "accelerator", lambda device: None)
