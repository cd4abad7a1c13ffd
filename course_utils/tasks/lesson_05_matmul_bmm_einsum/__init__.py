"""The exercises and the practice of lesson 05: sums of products as matrix products."""
