"""``explain()``: one call by line: seconds, counts, floor, and the reason for the difference.

``profiler`` runs the code, ``trace_overhead`` removes what tracing adds, ``line_measurements`` compares a line with this machine's
limits, ``rules`` and ``reasons`` name the cause, and ``explanation`` holds the result. ``timing`` reads the clock, ``counting`` counts.
"""

from course_utils.explaining.explain import ExplainError, explain
from course_utils.explaining.explanation import Explanation, Line

__all__ = ["ExplainError", "Explanation", "Line", "explain"]
