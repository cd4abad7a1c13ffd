"""The practice of lesson 07b: one function of a piece, rewritten once into one of all pieces."""
