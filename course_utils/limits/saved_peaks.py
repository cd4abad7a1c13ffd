"""The peaks that were measured, kept on disk for each machine, device and number of threads. Nothing here measures."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

from course_utils.core import files
from course_utils.core.errors import CourseWarning
from course_utils.frameworks import devices
from course_utils.limits.peaks import OtherFormat, Peaks

_in_memory: dict[Path, Peaks] = {}  # what could not be written is at least known until the process ends
_told: set[Path] = set()  # of these it has been said that they are of no use


class LimitsWarning(CourseWarning):
    """Limits are not kept as a learner may expect."""


def peaks_folder() -> Path:
    """Where limits are kept."""
    return files.data_folder() / "limits"


def load_peaks(device: str = "cpu", threads: int = 1) -> Peaks | None:
    """The peaks kept for this machine, None where none are; never measures.

    None as well for a file that is damaged or of another version of the course: a warning names it, once in a process. An
    accelerator is one whole: for it ``threads`` makes no difference.
    """
    path = _path(device, threads)
    if path in _in_memory:
        return _in_memory[path]
    try:
        peaks = Peaks.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except OtherFormat:
        _tell_once(path, f"The limits in {path.name} are of another version of the course; measure them again.")
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        _tell_once(
            path, f"The limits in {path.name} cannot be read ({type(error).__name__}: {error}); measure them again."
        )
        return None
    return peaks if _same_device(peaks) else None


def _tell_once(path: Path, sentence: str) -> None:
    if path not in _told:
        _told.add(path)
        warnings.warn(sentence, LimitsWarning, stacklevel=3)


def save_peaks(peaks: Peaks) -> None:
    """Write ``peaks`` in one step, so that a reader sees the old file or the new one; where the disk refuses, say so."""
    path = _path(peaks.device, peaks.threads)
    _in_memory.pop(path, None)
    _told.discard(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomically(path, json.dumps(peaks.to_dict(), indent=1))
    except OSError as error:
        _in_memory[path] = peaks
        message = (
            f"The limits could not be kept in {path.parent} ({error.strerror}); they are forgotten when this ends."
        )
        warnings.warn(message, LimitsWarning, stacklevel=2)


def _path(device: str, threads: int) -> Path:
    place = f"{devices.machine_id()}-{device.replace(':', '-')}"
    return peaks_folder() / (f"{place}-{threads}-threads.json" if device == "cpu" else f"{place}.json")


def _same_device(peaks: Peaks) -> bool:
    """Whether ``peaks`` are of the accelerator that is here: a home folder may be shared by machines with different ones.

    Only a loaded framework can say what an accelerator is called; with none loaded the file is believed.
    """
    if peaks.device == "cpu" or peaks.device not in devices.available():
        return True
    return peaks.machine == devices.describe(peaks.device)
