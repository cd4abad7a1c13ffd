"""Limits on what a compiler makes of an answer: traces over several calls, and the graphs that one call runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.core.wording import count_times, pluralize
from course_utils.counting import Counts
from course_utils.frameworks import tensor_trees
from course_utils.tasks.call_limit import Call, CallLimit, at_most_words, capitalized


@dataclass(frozen=True)
class MostTraces(CallLimit):
    """The most traces, by ``tf.function`` or a compiler, over four calls with new inputs.

    Earlier calls of the check may trace more often: a graph may learn from them which sizes and numbers change.
    The inputs have one shape unless the task draws their shapes; then one trace per shape is too many as well.
    """

    number: int
    kind = "traces"
    calls = 4

    def rule(self, framework: str) -> str:
        """Return the rule, which counts over several calls."""
        return f"{capitalized(self.phrase)} in four calls with new inputs at each size; earlier calls of the check don't count."

    @property
    def phrase(self) -> str:
        return at_most_words(self.number, "trace", "traces")

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Return a message if there are too many traces over the calls of a size."""
        traces = sum(call.counts.traces for call in calls)
        if traces <= self.number:
            return None
        message = f"{{}} were traced {count_times(traces)}; at most {self.number} {'is' if self.number == 1 else 'are'} allowed. {{}}"
        if len({_shapes(call.inputs) for call in calls}) > 1:
            return message.format(
                "Four calls with new shapes and values",
                "A new shape causes a new trace unless the signature leaves the size open: "
                "input_signature=[tf.TensorSpec([None], dtype)]. A new Python number or a new function causes one, "
                "too.",
            )
        return message.format(
            "Four calls with new values of one shape",
            "A new Python number or a new function causes a new trace; a new tensor doesn't. tf.vectorized_map traces "
            "in each call unless you call it inside a tf.function.",
        )


@dataclass(frozen=True)
class CompiledByXla(CallLimit):
    """At least one graph of each call is compiled by XLA."""

    kind = "XLA"

    def rule(self, framework: str) -> str:
        """Return the rule as a sentence."""
        return "Compiled by XLA: `@tf.function(jit_compile=True)`."

    @property
    def phrase(self) -> str:
        return "compiled by XLA"

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Return a message if a call runs no graph that XLA compiles."""
        if all(call.counts.xla_graphs for call in calls):
            return None
        return (
            "The results are right, but XLA compiles nothing. Write @tf.function(jit_compile=True) in the line above def; "
            "tf.function alone runs each operation of the graph on its own."
        )


@dataclass(frozen=True)
class MostGraphs(CallLimit):
    """The most compiled graphs that one call may run; at least one must run. A trace must serve later calls.

    One more trace is allowed, by which torch learns that a Python number may change. A single operation needs no
    compiler: it is one pass already.
    """

    number: int
    kind = "graphs"
    calls = 4

    def rule(self, framework: str) -> str:
        """Return the rule, by which retracing counts as well."""
        return f"{capitalized(self.phrase)}; a single operation needs no compiler. New values of the same shape cause no new trace."

    @property
    def phrase(self) -> str:
        return f"compiled, {'in' if self.number == 1 else 'at most'} {pluralize(self.number, 'graph')}"

    def after_size(self, size: int, calls: Sequence[Call]) -> str | None:
        """Return a message if the answer is not compiled, is split into too many graphs, or is retraced."""
        reports = [each.graphs for each in calls if each.graphs is not None]
        if not reports:  # a call that was stopped early, because another limit is passed at the smaller size
            return None
        most = max(each.ran for each in reports)
        if most == 0 and all(_is_one_operation(each.counts) for each in calls):
            return None
        if most == 0:
            return (
                "The results are right, but nothing is compiled. Write @torch.compile in the line above def. If it is there "
                "already, the compiler gave up: a graph breaks in a Python loop, or earlier calls needed too "
                "many traces (torch.compiler.reset() discards them)."
            )
        breaks = dict.fromkeys(place for each in reports for place in each.breaks)
        if most > self.number or len(breaks) >= self.number:
            if most > 1 and not breaks:
                return (
                    f"One call runs {most} compiled graphs, with Python between them; at most "
                    f"{pluralize(self.number, 'graph')} for the whole function {'is' if self.number == 1 else 'are'} allowed. "
                    "Write @torch.compile only above the function that calls the others."
                )
            fact = (
                f"The compiler splits the function into {pluralize(most, 'graph')} and runs Python between them"
                if most > 1
                else "The compiler compiles only a part of the function and runs Python before or after it"
            )
            remedy = (
                f"{fact}; at most {pluralize(self.number, 'graph')} for the whole function "
                f"{'is' if self.number == 1 else 'are'} allowed. torch.where chooses without reading a value; move "
                "prints, and code that hands values to Python, out of the function."
            )
            return "\n".join([remedy, *(f"  a graph ends at {place}" for place in breaks)])
        traced = sum(each.traced for each in reports)
        if traced > self.number + 1:
            return (
                f"Four calls with new values of one shape were traced {count_times(traced)}; one trace must be enough, "
                "or two if a Python number changes. A Python value in a condition or a loop's range becomes a part of "
                "the graph; a tensor doesn't. torch.compiler.reset() discards every trace."
            )
        return None


def _is_one_operation(counts: Counts) -> bool:
    """Return whether a call runs one operation, and nothing that is not counted makes the result."""
    return counts.ops_without_views == 1 and not counts.unseen_results and not counts.whole_tensor_reads


def _shapes(inputs: tuple) -> tuple:
    return tuple(tuple(tensor.shape) for tensor in tensor_trees.tensors(inputs))
