"""The exercise and the practice of lesson 00: small tasks that show how an exercise and its check work."""
