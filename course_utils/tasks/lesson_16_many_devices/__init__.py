"""The exercises of lesson 16: pools, losses and gradients of several workers, the scaling limit, fewer bytes to send."""
