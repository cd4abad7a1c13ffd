"""The turns of lesson 03b: a choice, types before shapes, and a broadcast in blocks, in TensorFlow."""
