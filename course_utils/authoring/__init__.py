"""Authors' tools: notebooks in canonical form, their execution, and the text that is generated from tasks and metadata.

They need the extra ``dev``. Learners never load them.
"""
