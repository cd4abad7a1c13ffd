"""The practice of lesson 14b: a wide accumulator, the unscaling of gradients, and a change of layout."""
