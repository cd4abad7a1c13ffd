"""The exercises and the practice of lesson 17: reading a profile, and repairing a step, a loader and a script."""
