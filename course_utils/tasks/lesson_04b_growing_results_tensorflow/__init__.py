"""The practice of lesson 04b: results that grow, in a framework whose tensors are immutable."""
