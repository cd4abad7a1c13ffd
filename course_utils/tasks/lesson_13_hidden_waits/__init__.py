"""The exercises of lesson 13: synchronizations in a log, in transfers of constants, and in Python conditions."""
