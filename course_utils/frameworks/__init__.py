"""The only room that names a framework: its devices, its tensors, trees of them, and when two results agree."""
