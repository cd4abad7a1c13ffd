"""The class board: what a learner's notebook sends after ``join``, and the small server that an instructor starts."""
