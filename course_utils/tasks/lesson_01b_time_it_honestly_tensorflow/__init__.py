"""The practice of lesson 01b: first calls, two readings of a clock, and an index that cannot fail."""
