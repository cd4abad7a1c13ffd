"""The exercises of lesson 08: how many bytes are alive at one time."""
