"""The exercises and the practice of lesson 03: element loops that become a choice, a broadcast or one sum."""
