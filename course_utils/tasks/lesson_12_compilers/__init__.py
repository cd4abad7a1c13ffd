"""The exercises and the practice of lesson 12: compiled graphs without breaks."""
