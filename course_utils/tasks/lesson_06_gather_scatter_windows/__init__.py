"""The exercises and the practice of lesson 06: gathers, reductions by label, pairs, and sliding windows."""
