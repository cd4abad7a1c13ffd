"""The practice of lesson 17b: reading TensorFlow's profile, and mending the line that it shows."""
