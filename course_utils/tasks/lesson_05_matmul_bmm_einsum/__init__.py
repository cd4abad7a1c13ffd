"""The exercises of lesson 05: sums of products, handed over to the routines that are made for them."""
