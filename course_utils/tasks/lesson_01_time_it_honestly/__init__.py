"""The exercises of lesson 01: a stopwatch that waits, an interval around a ratio, and when a compile pays."""
