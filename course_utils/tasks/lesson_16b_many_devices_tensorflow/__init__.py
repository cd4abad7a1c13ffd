"""The practice of lesson 16b: losses and batches of several replicas in TensorFlow."""
