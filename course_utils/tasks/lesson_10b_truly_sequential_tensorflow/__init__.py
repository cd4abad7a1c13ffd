"""The practice of lesson 10b: loops that stay loops, in TensorFlow."""
