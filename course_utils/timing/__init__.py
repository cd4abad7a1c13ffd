"""Paired, interleaved timing and its statistics. Nothing else in the course measures time.

``compare`` runs every contender once a round, in random order, and judges contenders by the median of their per-round
ratios: noise that lasts longer than a round hits both sides of a ratio and cancels. It does not check that contenders
compute the same thing; ``races`` does.
"""

from course_utils.timing.clock_lock import ComparisonError
from course_utils.timing.compare import compare
from course_utils.timing.comparison import Comparison, Ratio
from course_utils.timing.interval import median_interval
from course_utils.timing.stopwatch import Stopwatch, stopwatch

__all__ = [
    "Comparison",
    "ComparisonError",
    "Ratio",
    "Stopwatch",
    "compare",
    "median_interval",
    "stopwatch",
]
