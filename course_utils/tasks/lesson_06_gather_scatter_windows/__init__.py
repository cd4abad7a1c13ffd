"""The exercises of lesson 06: rows picked by index, groups added up by label, pairs, and windows that slide."""
