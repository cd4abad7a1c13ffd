"""The practice of lesson 12b: XLA in TensorFlow."""
