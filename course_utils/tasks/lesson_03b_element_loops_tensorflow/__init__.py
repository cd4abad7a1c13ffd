"""The practice of lesson 03b: a choice, dtypes before shapes, and means of blocks, in TensorFlow."""
