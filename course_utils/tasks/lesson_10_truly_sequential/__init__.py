"""The exercises and the practice of lesson 10: loops that stay loops, with cheaper or fewer sequential steps."""
