"""The exercises of lesson 10: loops that stay loops, with less to pay in each turn, or fewer turns that wait."""
