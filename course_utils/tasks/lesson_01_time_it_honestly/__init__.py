"""Lesson 01: a stopwatch that waits, an interval around a ratio, when a compile pays, and small steps towards them."""
