"""The turns of lesson 04b: results that grow, in a framework whose tensors cannot be written to."""
