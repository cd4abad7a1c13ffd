"""Lesson 00: the warm-up, and practice that is as small."""
