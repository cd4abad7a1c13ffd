"""The practice of lesson 13b: a function of a batch, a metric and a log without synchronization."""
