"""The practice tasks of lesson 18 in TensorFlow."""
