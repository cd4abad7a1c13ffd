"""``race``: contenders against each other over growing sizes, as plain data.

A race checks that its contenders agree before it times them, and stops a contender before it gets too slow. It draws
nothing: what a person sees is made in ``ui`` from a ``RaceResult``.
"""

from course_utils.races.race import Race, RaceError, race
from course_utils.races.result import Point, RaceResult, describe_point
from course_utils.races.run import RaceProgress

__all__ = ["Point", "Race", "RaceError", "RaceProgress", "RaceResult", "describe_point", "race"]
