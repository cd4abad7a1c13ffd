"""The practice of lesson 19: verdicts from measured ratios."""
