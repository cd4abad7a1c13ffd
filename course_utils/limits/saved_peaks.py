"""Saves peaks on disk, one file for each machine, device and number of threads, and loads them. It measures nothing."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

from course_utils.core import files, plain_data
from course_utils.core.errors import CourseWarning
from course_utils.frameworks import devices
from course_utils.limits.peaks import Peaks

FORMAT = 3
"""The version of the file's format; a file of another version is measured again."""

_unsaved: dict[Path, Peaks] = {}  # peaks that could not be written; they last until the process ends
_warned_of: set[Path] = set()


class LimitsWarning(CourseWarning):
    """Limits could not be measured, saved or loaded."""


def peaks_folder() -> Path:
    """Return the folder of the saved peaks."""
    return files.data_folder() / "limits"


def load_peaks(device: str = "cpu", threads: int = 1) -> Peaks | None:
    """Return the saved peaks of this machine, None if there are none; it never measures.

    It is also None for a file that is damaged or has another format; a warning names the file, once per process. An
    accelerator is measured as a whole, so for it ``threads`` makes no difference.
    """
    path = _path(device, threads)
    if path in _unsaved:
        return _unsaved[path]
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.pop("format", None) != FORMAT:
            _warn_once(path, f"The limits in {path.name} are of another version of the course; measure them again.")
            return None
        peaks = plain_data.from_data(Peaks, data)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, AttributeError, TypeError) as error:
        _warn_once(
            path, f"The limits in {path.name} cannot be read ({type(error).__name__}: {error}); measure them again."
        )
        return None
    return peaks if _is_same_device(peaks) else None


def save_peaks(peaks: Peaks) -> None:
    """Write ``peaks`` atomically; if the disk refuses, warn and remember them until the process ends."""
    path = _path(peaks.device, peaks.threads)
    _unsaved.pop(path, None)
    _warned_of.discard(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomically(path, json.dumps({"format": FORMAT, **plain_data.to_data(peaks)}, indent=1))
    except OSError as error:
        _unsaved[path] = peaks
        message = (
            f"The limits could not be saved in {path.parent} ({error.strerror}); they last until this kernel ends."
        )
        warnings.warn(message, LimitsWarning, stacklevel=2)


def _warn_once(path: Path, sentence: str) -> None:
    if path not in _warned_of:
        _warned_of.add(path)
        warnings.warn(sentence, LimitsWarning, stacklevel=3)


def _path(device: str, threads: int) -> Path:
    name = f"{devices.machine_id()}-{device.replace(':', '-')}"
    return peaks_folder() / (f"{name}-{threads}-threads.json" if device == "cpu" else f"{name}.json")


def _is_same_device(peaks: Peaks) -> bool:
    """Return whether ``peaks`` belong to this machine's accelerator: machines with different ones may share a home
    folder.

    Only a loaded framework knows an accelerator's name; if none is loaded, the file is trusted.
    """
    if peaks.device == "cpu" or peaks.device not in devices.available():
        return True
    return peaks.machine == devices.describe(peaks.device)
