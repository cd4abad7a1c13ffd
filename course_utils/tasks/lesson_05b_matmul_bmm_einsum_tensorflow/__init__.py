"""The practice of lesson 05b: products in TensorFlow."""
