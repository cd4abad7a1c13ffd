"""What this machine can do at best, and the least time that a given amount of work can take on it.

``measure`` finds the peaks, ``known`` gives those that are kept on disk, ``bound`` turns a ``Cost`` into seconds.
Nothing here times a learner's code, and nothing here imports a framework: the peaks are measured in processes of their own.
"""

from course_utils.limits.measuring import LimitsFailed, LimitsStopped, LimitsUnsteady, measure
from course_utils.limits.peaks import Bound, Cost, Peaks, bound
from course_utils.limits.store import known

__all__ = ["Bound", "Cost", "LimitsFailed", "LimitsStopped", "LimitsUnsteady", "Peaks", "bound", "known", "measure"]
