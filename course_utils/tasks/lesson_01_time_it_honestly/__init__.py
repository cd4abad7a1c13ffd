"""The exercises and the practice of lesson 01: device timing, intervals around ratios, and the cost of a first call."""
