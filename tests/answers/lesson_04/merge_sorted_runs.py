"""Answers to merge_sorted_runs."""

from heapq import merge

import torch

from answers import AnswersTo

answers = AnswersTo("merge_sorted_runs")

answers.right("joined, then sorted")(lambda runs: torch.cat(runs).sort().values)


@answers.right("preallocated, then sorted")
def filled(runs):
    joined = runs[0].new_empty(sum(len(run) for run in runs))
    begin = 0
    for run in runs:
        joined[begin : begin + len(run)] = run
        begin += len(run)
    return torch.msort(joined)


@answers.wrong("runs merged one by one", "unlooped", says="intermediate tensors")
def merged_one_by_one(runs):
    merged = runs[0]
    for run in runs[1:]:
        merged = torch.cat([merged, run]).sort().values
    return merged.clone()


@answers.wrong("argsort, then indexing", "unlooped", says="intermediate tensors")
def by_argsort(runs):
    joined = torch.cat(runs)
    return joined[joined.argsort()]


@answers.wrong("padded to the longest", "unlooped", says="intermediate tensors")
def padded(runs):
    largest = torch.inf if runs[0].is_floating_point() else torch.iinfo(runs[0].dtype).max
    table = runs[0].new_full((len(runs), max(map(len, runs))), largest)
    for row, run in zip(table, runs):
        row[: len(run)] = run
    return table.flatten().sort().values[: sum(map(len, runs))]


@answers.wrong("heapq.merge", "unlooped", says=".tolist()")
def in_python(runs):
    return torch.tensor(list(merge(*(run.tolist() for run in runs))), dtype=runs[0].dtype, device=runs[0].device)


@answers.wrong("sorted in pieces of 1,000 values", "correct", says="5,000 and 300 values")
def in_pieces(runs):
    return torch.cat([piece.sort().values for piece in torch.cat(runs).split(1000)])


answers.wrong("indices instead of values", "correct")(lambda runs: torch.cat(runs).sort().indices)
answers.wrong("at most 100 runs", "correct", says="300 runs")(lambda runs: torch.cat(runs[:100]).sort().values)


@answers.wrong("the only run that isn't empty, as it is", "correct", says="shares memory")
def only_run(runs):
    full = [run for run in runs if len(run)]
    return full[0] if len(full) == 1 else torch.cat(runs).sort().values


answers.wrong("sorted by float64 keys", "correct", says="float64 cannot tell apart")(
    lambda runs: (joined := torch.cat(runs))[joined.double().argsort(stable=True)]
)
