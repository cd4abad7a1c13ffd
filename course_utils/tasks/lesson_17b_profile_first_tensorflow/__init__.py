"""The practice of lesson 17b: reading TensorFlow's profile, and fixing the line that it shows."""
