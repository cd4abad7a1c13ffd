"""What this machine can do at best, and the least time that a given amount of work can take on it.

``measure_peaks`` finds the peaks, ``load_peaks`` gives those that are kept on disk, ``ensure_peaks`` does one or the other, ``bound`` turns a
``Cost`` into seconds. Nothing here times a learner's code, and nothing here imports a framework: the peaks are measured in
processes of their own.
"""

from course_utils.limits.bounds import Bound, bound
from course_utils.limits.cost import Cost
from course_utils.limits.measure import LimitsFailed, LimitsStopped, ensure_peaks, measure_peaks
from course_utils.limits.peaks import Peaks
from course_utils.limits.saved_peaks import load_peaks

__all__ = [
    "Bound",
    "Cost",
    "LimitsFailed",
    "LimitsStopped",
    "Peaks",
    "bound",
    "ensure_peaks",
    "load_peaks",
    "measure_peaks",
]
