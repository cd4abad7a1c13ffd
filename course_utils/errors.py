"""The one base of every error that a learner can cause: a single sentence, shown without a stack of frames.

It holds no policy; each floor derives its own errors from it.
"""


class CourseError(Exception):
    """A sentence that names the offending value and the remedy.

    IPython calls ``_render_traceback_`` instead of printing frames, so the sentence is all that a learner sees.
    """

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]
