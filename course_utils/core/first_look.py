"""How long measurements last that a page starts: the first look at a race, which other parts follow, and comparisons."""

from __future__ import annotations

import os

FIRST_LOOK_S = float(os.environ.get("UNLOOP_FIRST_LOOK_S", "2.0"))
"""Seconds for a race when its cell is executed; tests set a shorter time."""

LONGEST_BUDGET_S = float(os.environ.get("UNLOOP_LONGEST_BUDGET_S", "inf"))
"""No comparison gets more seconds; tests that execute lessons set a limit."""
