"""Practice of lesson 01b: many first calls, a clock read twice, and an index that cannot fail late."""
