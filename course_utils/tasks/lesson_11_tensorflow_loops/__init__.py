"""The exercises of lesson 11: a map that is no map, one loop for the whole state, two graphs traced once, a search."""
