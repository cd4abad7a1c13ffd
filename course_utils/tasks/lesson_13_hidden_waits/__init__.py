"""The exercises and the practice of lesson 13: synchronizations in a log, in transfers and in Python conditions."""
