"""Paired, interleaved timing and its statistics. No other room of the course measures time.

``compare`` runs every contender once per round, in random order, and judges a contender by the median of its per-round
ratios: noise that lasts longer than a round affects both sides of a ratio and cancels. ``compare`` does not check that
contenders compute the same result; ``races`` does.
"""

from course_utils.timing.compare import compare
from course_utils.timing.comparison import Comparison, Ratio
from course_utils.timing.comparison_lock import ComparisonError
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
