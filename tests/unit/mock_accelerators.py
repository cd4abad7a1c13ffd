"""Mock accelerators of torch, because a test's machine may have none."""

from course_utils import frameworks
from course_utils.frameworks import device_check

TORCH = frameworks.by_name("torch")


def mock_accelerators(monkeypatch, *names, run_test_kernel=lambda device: None, synchronizers=lambda device: []):
    """Let torch list the devices ``names``, with the given methods; they have no caches to flush."""
    monkeypatch.setattr(device_check, "_problems", {})
    replace_method(monkeypatch, "accelerators", lambda: list(names))
    replace_method(monkeypatch, "run_test_kernel", run_test_kernel)
    replace_method(monkeypatch, "synchronizers", synchronizers)
    replace_method(monkeypatch, "accelerator", lambda device: None)


def replace_method(monkeypatch, name, method):
    """Replace a method of torch's ``Framework`` for one test.

    ``monkeypatch.setattr`` would store the original as an attribute of the instance, which hides later changes of the
    class.
    """
    monkeypatch.setitem(vars(TORCH), name, method)
