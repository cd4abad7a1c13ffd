"""Answers to collect_rows."""

import torch

from answers import AnswersTo

answers = AnswersTo("collect_rows")


@answers.right("one cat")
def by_cat(chunks):
    return torch.cat(chunks)


@answers.right("preallocated")
def preallocated(chunks):
    result = chunks[0].new_empty(sum(len(chunk) for chunk in chunks), chunks[0].shape[1])
    for part, chunk in zip(result.split([len(chunk) for chunk in chunks]), chunks):
        part.copy_(chunk)
    return result


@answers.wrong("chunk by chunk", "unlooped", says="bytes")
def grown(chunks):
    rows = chunks[0][:0]
    for chunk in chunks:
        rows = torch.cat([rows, chunk])
    return rows


@answers.wrong("the default dtype", "correct", says="default dtype")
def of_the_default_dtype(chunks):
    result = torch.empty(sum(len(chunk) for chunk in chunks), chunks[0].shape[1])
    return torch.cat([result[:0], torch.cat(chunks).to(result.dtype)])


@answers.wrong("side by side", "correct")
def side_by_side(chunks):
    return torch.cat(chunks, dim=1)


@answers.wrong("the chunks as an axis", "correct")
def stacked(chunks):
    return torch.stack(chunks).flatten(0, 1)


@answers.wrong("without the first", "correct", says="The first chunk is missing")
def without_the_first(chunks):
    return torch.cat([chunks[0][:0], *chunks[1:]])


@answers.wrong("backwards", "correct", says="opposite order")
def backwards(chunks):
    return torch.cat(chunks[::-1])
