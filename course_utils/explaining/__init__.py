"""``explain()``: one call by line: seconds, counts, floor, and the reason for the difference.

``profiler`` runs the code, with ``plain_times``, ``trace_overhead``, ``module_times`` and ``compiled_line_parts`` for what
it measures, and returns a ``RawProfile``. ``compare_with_limits`` compares a line with this machine's limits, ``rules`` and
``compiled_rules`` decide its reason, ``finding_sentences`` and ``compiled_line_findings`` word it, ``operation_remedies``
adds what helps, and ``assemble_explanation`` makes the ``Explanation``.
"""

from course_utils.explaining.explain import ExplainError, explain
from course_utils.explaining.explanation import Explanation, Line

__all__ = ["ExplainError", "Explanation", "Line", "explain"]
