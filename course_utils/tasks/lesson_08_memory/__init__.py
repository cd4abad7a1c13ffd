"""The exercises and the practice of lesson 08: the number of bytes that are alive at one time."""
