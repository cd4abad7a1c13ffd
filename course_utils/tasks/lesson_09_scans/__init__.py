"""The exercises of lesson 09: loops in which each step needs the one before, and which are scans all the same."""
