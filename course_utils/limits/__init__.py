"""What this machine can do at best, and the least time that a given amount of work takes on it.

``measure_peaks`` measures a machine's peaks, ``load_peaks`` reads the saved ones, ``ensure_peaks`` does whichever is
needed, ``raise_peaks`` measures a few of them again next to other work, and ``bound`` converts a ``Cost`` to seconds. This room
times no code of a learner and imports no framework: all peaks are measured in child processes.
"""

from course_utils.limits.bounds import Bound, bound
from course_utils.limits.cost import Cost
from course_utils.limits.measure import LimitsFailed, LimitsStopped, LimitsWithoutDevice, ensure_peaks, measure_peaks
from course_utils.limits.peaks import Peaks
from course_utils.limits.raise_peaks import raise_peaks
from course_utils.limits.saved_peaks import load_peaks

__all__ = [
    "Bound",
    "Cost",
    "LimitsFailed",
    "LimitsStopped",
    "LimitsWithoutDevice",
    "Peaks",
    "bound",
    "ensure_peaks",
    "load_peaks",
    "measure_peaks",
    "raise_peaks",
]
