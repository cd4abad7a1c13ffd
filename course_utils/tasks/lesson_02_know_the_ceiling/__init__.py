"""The exercises of lesson 02: how many operations a byte is worth, the roof above many of them, and a bus that is full."""
