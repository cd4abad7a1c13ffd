"""The exercises of lesson 03: element loops that become a choice, a broadcast and a row of states."""
