"""What this machine can do at best, and the least time that a given amount of work can take on it.

``measure`` finds the peaks, ``known`` gives those that are kept on disk, ``ensure`` does one or the other, ``bound`` turns a
``Cost`` into seconds. Nothing here times a learner's code, and nothing here imports a framework: the peaks are measured in
processes of their own.
"""

from course_utils.limits.bounds import Bound, bound
from course_utils.limits.cost import Cost
from course_utils.limits.measuring import LimitsFailed, LimitsStopped, ensure, measure
from course_utils.limits.peaks import Peaks
from course_utils.limits.saved_peaks import known

__all__ = ["Bound", "Cost", "LimitsFailed", "LimitsStopped", "Peaks", "bound", "ensure", "known", "measure"]
