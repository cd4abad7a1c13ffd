"""The exercises of lesson 17: reading a profile, and repairing a step, a loader and a script that it shows to be slow."""
