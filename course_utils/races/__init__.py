"""``race``: compares contenders over growing sizes; the result is plain data.

A race checks that its contenders agree before it times them, and stops a contender that no longer fits the budget. It
draws nothing: ``ui`` draws a ``RaceResult``.
"""

from course_utils.races.point import Point, describe_point
from course_utils.races.race import Race, RaceError, race
from course_utils.races.result import RaceResult
from course_utils.races.runner import RaceProgress

__all__ = ["Point", "Race", "RaceError", "RaceProgress", "RaceResult", "describe_point", "race"]
