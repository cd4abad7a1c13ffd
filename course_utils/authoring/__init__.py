"""What authors use and learners never load: canonical notebooks, their execution, the addresses written into them.

It needs the extra ``dev``. Exercises are judged elsewhere.
"""
