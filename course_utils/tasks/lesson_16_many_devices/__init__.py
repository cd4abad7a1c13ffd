"""The exercises and the practice of lesson 16: pools, losses, two workers, scaling and compressed gradients."""
