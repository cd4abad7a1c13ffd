"""The exercises and the practice of lesson 01: timing a device, intervals around ratios, and when a compile pays."""
