"""The turns of lesson 06b: a gather, a group-by and windows that take steps, in TensorFlow."""
