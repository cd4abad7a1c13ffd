"""Answers to pad_into."""

import torch

from answers import AnswersTo

answers = AnswersTo("pad_into")
answers.exception("nothing returned", "correct", says="Nothing was written into out")


@answers.right("each position once")
def each_place_once(sequences, out):
    for place, sequence in zip(out, sequences):
        place[: len(sequence)] = sequence
        place[len(sequence) :].zero_()


@answers.right("cleared first")
def cleared_first(sequences, out):
    out.zero_()
    for i, sequence in enumerate(sequences):
        out[i, : len(sequence)].copy_(sequence)


@answers.right("foreach operations")
def all_places_at_once(sequences, out):
    if not sequences:
        return
    if not out.is_contiguous():
        each_place_once(sequences, out)
        return
    longest = out.shape[1]
    sizes = [size for sequence in sequences for size in (len(sequence), longest - len(sequence))]
    places = out.view(-1, out.shape[2]).split(sizes)
    torch._foreach_copy_(places[::2], sequences)
    torch._foreach_zero_([place for place in places[1::2] if len(place)] or [out[:0]])


answers.wrong("at most 64 sequences", "correct")(lambda sequences, out: each_place_once(sequences[:64], out))


@answers.wrong("assigns a Python number", "unlooped", says="out[0].fill_(0) doesn't")
def number_assigned(sequences, out):
    for place, sequence in zip(out, sequences):
        place[: len(sequence)] = sequence
        place[len(sequence) :] = 0


@answers.wrong("pad_sequence, then copied", "unlooped", says="none are allowed")
def padded_elsewhere(sequences, out):
    out.zero_()
    if sequences:
        padded = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)
        out[:, : padded.shape[1]] = padded


@answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")
def row_by_row(sequences, out):
    out.zero_()
    for place, sequence in zip(out, sequences):
        for target, row in zip(place, sequence):
            target.copy_(row)


@answers.wrong("the buffer treated as contiguous", "correct")
def as_one_piece(sequences, out):
    rows = out.view(-1, out.shape[2]).zero_()
    for i, sequence in enumerate(sequences):
        rows[i * out.shape[1] : i * out.shape[1] + len(sequence)] = sequence


answers.wrong("at most 256 features", "correct", says="rows of 5,000 values")(
    lambda sequences, out: each_place_once([each[:, :256] for each in sequences], out[:, :, :256])
)


@answers.wrong("old values minus themselves", "correct", says="NaN follows the sequences")
def minus_itself(sequences, out):
    if out.is_floating_point():
        torch.nan_to_num(out, 0, torch.inf, -torch.inf, out=out)
    out.sub_(out)
    for place, sequence in zip(out, sequences):
        place[: len(sequence)] = sequence
