"""The practice of lesson 06b: a gather, a group-by and strided windows, in TensorFlow."""
