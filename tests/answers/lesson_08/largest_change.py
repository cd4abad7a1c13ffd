"""Answers to largest_change."""

import torch

from answers import AnswersTo

answers = AnswersTo("largest_change")


@answers.right("a running maximum")
def running(before, after, chunk):
    largest = torch.zeros_like(before[0])
    for start in range(0, len(before), chunk):
        part = slice(start, start + chunk)
        torch.maximum(largest, (after[part] - before[part]).abs_().amax(0), out=largest)
    return largest


@answers.right("the maxima of the chunks stacked")
def stacked(before, after, chunk):
    parts = zip(before.split(chunk), after.split(chunk))
    return torch.stack([torch.sub(new, old).abs().amax(0) for old, new in parts]).amax(0)


@answers.wrong("all rows at once", "unlooped", says="are alive at one time")
def at_once(before, after, chunk):
    return (after - before).abs().amax(0)


@answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")
def row_by_row(before, after, chunk):
    return running(before, after, 1)


@answers.wrong("the root of the largest square", "correct", says="1e25")
def root_of_squares(before, after, chunk):
    parts = zip(before.split(chunk), after.split(chunk))
    return torch.stack([torch.sub(new, old).square_().amax(0) for old, new in parts]).amax(0).sqrt()


@answers.wrong("changes below 1e-6 replaced by 0", "correct", says="a billionth")
def none_below_a_millionth(before, after, chunk):
    largest = running(before, after, chunk)
    return torch.where(largest < 1e-6, 0, largest)


@answers.wrong("a loop over the columns of each chunk", "unlooped", says="grows with the input")
def column_by_column(before, after, chunk):
    largest = []
    for old, new in zip(before.split(chunk), after.split(chunk)):
        changes = (new - old).T
        largest.append(torch.stack([torch.linalg.vector_norm(column, torch.inf) for column in changes]))
    return torch.stack(largest).amax(0)


answers.wrong("a column without its axis", "correct", says="a single column")(
    lambda b, a, c: running(b, a, c).squeeze()
)


@answers.wrong("the number of chunks plus 0.999, rounded down", "correct", says="a last chunk of one row")
def rounded_chunks(before, after, chunk):
    rows = chunk * int(len(before) / chunk + 0.999)
    return running(before[:rows], after[:rows], chunk)


@answers.wrong("a buffer like the second row", "correct", says="a single row")
def like_the_second_row(before, after, chunk):
    largest = torch.zeros_like(before[1])
    for old, new in zip(before.split(chunk), after.split(chunk)):
        largest = torch.maximum(largest, torch.sub(new, old).abs().amax(0))
    return largest
