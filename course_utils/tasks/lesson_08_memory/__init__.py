"""The exercises of lesson 08: what a call holds in memory at one time."""
