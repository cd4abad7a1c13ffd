"""The exercises and the practice of lesson 02: arithmetic intensity, rooflines, fused traffic, and a full memory bus."""
