"""The exercises of lesson 10: loops that stay loops, with cheaper iterations or fewer sequential steps."""
