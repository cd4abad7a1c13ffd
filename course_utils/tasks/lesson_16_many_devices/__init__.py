"""The exercises and the practice of lesson 16: pools, losses and gradients of workers, and the limit of scaling."""
