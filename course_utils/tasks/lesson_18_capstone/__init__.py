"""The exercises and the practice of lesson 18: the stages of a segmentation pipeline, and the whole pipeline."""
