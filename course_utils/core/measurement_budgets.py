"""How many seconds the measurements of a page may take: the first look at a race, and one comparison."""

from __future__ import annotations

import os

FIRST_LOOK_S = float(os.environ.get("UNLOOP_FIRST_LOOK_S", "2.0"))
"""Seconds for a race when its cell is executed; tests set a shorter time."""

LONGEST_BUDGET_S = float(os.environ.get("UNLOOP_LONGEST_BUDGET_S", "inf"))
"""The most seconds that a comparison gets; tests that execute lessons set a limit."""
