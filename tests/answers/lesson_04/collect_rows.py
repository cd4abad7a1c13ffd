"""Answers to collect_rows."""

import torch

from answers import AnswersTo

answers = AnswersTo("collect_rows")

answers.right("one cat")(lambda chunks: torch.cat(chunks))


@answers.right("preallocated")
def preallocated(chunks):
    result = chunks[0].new_empty(sum(len(chunk) for chunk in chunks), chunks[0].shape[1])
    for part, chunk in zip(result.split([len(chunk) for chunk in chunks]), chunks):
        part.copy_(chunk)
    return result


@answers.wrong("empty chunks as float32", "correct", says="dtype")
def empty_as_float32(chunks):
    rows = [chunk for chunk in chunks if len(chunk)]
    return torch.cat(rows) if rows else torch.empty(0, chunks[0].shape[1])


@answers.wrong("one cat per chunk", "unlooped", says="bytes")
def grown(chunks):
    rows = chunks[0][:0]
    for chunk in chunks:
        rows = torch.cat([rows, chunk])
    return rows


@answers.wrong("one stack of all rows", "unlooped", says="views: the number grows with the input")
def stacked(chunks):
    rows = [row for chunk in chunks for row in chunk]
    return torch.stack(rows) if rows else chunks[0].clone()


answers.wrong("cat along axis 1", "correct")(lambda chunks: torch.cat(chunks, dim=1))
answers.wrong("stack, then flatten", "correct")(lambda chunks: torch.stack(chunks).flatten(0, 1))


@answers.wrong("one of two chunks if the other is empty", "correct", says="a chunk next to one without rows")
def without_empty_chunks(chunks):
    full = [chunk for chunk in chunks if len(chunk)] or chunks
    return full[0] if len(full) == 1 < len(chunks) < 3 else torch.cat(chunks)


@answers.wrong("at most 4,096 rows", "correct", says="4,100 rows")
def of_4096_rows(chunks):
    return torch.cat(chunks)[:4096]
