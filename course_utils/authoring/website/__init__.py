"""The course on the web: Sphinx renders the stored notebooks and a few pages of its own, without executing anything.

``build.build`` makes the site; the other files are its parts. They need the extra ``site``; learners never load them.
"""
