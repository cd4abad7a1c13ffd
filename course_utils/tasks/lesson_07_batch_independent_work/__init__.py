"""The exercises of lesson 07: pieces of work that do not need each other, done in one batch."""
