"""The exercises of lesson 13: a log that waits at every step, constants that move at every batch, a choice in Python."""
