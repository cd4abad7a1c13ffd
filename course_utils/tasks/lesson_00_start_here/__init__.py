"""The exercise of lesson 00: a warm-up."""
