"""The exercises and the practice of lesson 07: independent pieces of work, computed in one batch."""
