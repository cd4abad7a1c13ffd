"""The exercises of lesson 18: the stages of a segmentation pipeline, and the whole pipeline."""
