"""The exercises and the practice of lesson 04: results that grow piece by piece, and the memory that they allocate."""
