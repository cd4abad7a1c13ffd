"""The exercises of lesson 04: results that grow piece by piece, and the memory that they take on the way."""
