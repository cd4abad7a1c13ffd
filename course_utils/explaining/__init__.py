"""``explain()``: one call by line: seconds, counts, floor, and the reason for the difference.

``profiler`` runs the code, with ``plain_times``, ``trace_overhead``, ``module_times`` and ``compiled_parts`` for what it measures.
``line_measurements`` compares a line with this machine's limits, ``rules``, ``reasons`` and ``remedies`` decide its cause and what
helps, and ``assemble`` makes the ``Explanation``. ``timing`` reads the clock, ``counting`` counts.
"""

from course_utils.explaining.explain import ExplainError, explain
from course_utils.explaining.explanation import Explanation, Line

__all__ = ["ExplainError", "Explanation", "Line", "explain"]
