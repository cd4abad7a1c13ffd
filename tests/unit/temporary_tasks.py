"""Lessons that exist during one test: real folders and files next to those of the course."""

import sys

from course_utils import tasks


def add(monkeypatch, place, files):
    """Write ``files`` (path in the folder of tasks → source) below ``place``, where the course finds them until the
    test ends.
    """
    for name, source in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(source, encoding="utf-8")
    for module in [name for name in sys.modules if name.startswith("course_utils.tasks.lesson_9")]:
        del sys.modules[module]  # a previous test imported it
    monkeypatch.setattr(tasks, "__path__", [*tasks.__path__, str(place)])
