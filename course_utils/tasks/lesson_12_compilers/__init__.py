"""The exercises of lesson 12: compiled graphs without breaks."""
