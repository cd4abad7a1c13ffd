"""The turns of lesson 12b, XLA in TensorFlow."""
