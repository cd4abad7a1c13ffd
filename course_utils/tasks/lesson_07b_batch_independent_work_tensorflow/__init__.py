"""The practice of lesson 07b: a function for one element, vectorized once for all elements."""
