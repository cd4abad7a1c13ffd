"""The practice of lesson 08b: chunks, tapes and peaks in TensorFlow."""
