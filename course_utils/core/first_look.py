"""How long a measurement lasts that appears without a request: the first look at a race, which other parts follow."""

from __future__ import annotations

import os

FIRST_LOOK_S = float(os.environ.get("UNLOOP_FIRST_LOOK_S", "2.0"))
"""Seconds for a race when its cell is executed; tests set a shorter time."""
