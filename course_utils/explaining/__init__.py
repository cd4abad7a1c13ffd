"""``explain()``: one call, line by line: seconds, counts, floor, and the reason for what lies between.

``runs`` calls the code and ``shares`` makes seconds of what tracing read; ``evidence`` holds a line against this machine's limits,
``reasons`` names what it shows, and ``bill`` is what comes of it. The clock is ``timing``'s, the counts are ``counting``'s.
"""

from course_utils.explaining.explain import ExplainError, explain
from course_utils.explaining.explanation import Explanation, Line

__all__ = ["ExplainError", "Explanation", "Line", "explain"]
