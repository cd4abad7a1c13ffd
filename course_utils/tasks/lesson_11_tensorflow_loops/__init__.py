"""The exercises of lesson 11: maps that are none, loops over a whole state, graphs traced once, a search, and one pass."""
