"""The practice of lesson 18b: pairs of pixels, one round of hooking, and areas, in TensorFlow."""
