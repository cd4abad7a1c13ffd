"""The practice of lesson 09b: scans in TensorFlow, one line at a time."""
