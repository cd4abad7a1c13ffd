"""Answers to fill_rows."""

import torch

from answers import AnswersTo

answers = AnswersTo("fill_rows")


@answers.right("one cat into the buffer")
def by_cat(pieces, out):
    torch.cat(pieces, out=out)


@answers.wrong("returns a new tensor", "correct", says="Nothing was written into out")
def returned(pieces, out):
    return torch.cat(pieces)


@answers.wrong("a loop over pieces", "unlooped", says="at most 1 is allowed")
def piece_by_piece(pieces, out):
    begin = 0
    for piece in pieces:
        out[begin : begin + len(piece)] = piece
        begin += len(piece)


@answers.wrong("cat, then copied", "unlooped", says="at most 1 is allowed")
def joined_first(pieces, out):
    out.copy_(torch.cat(pieces))


@answers.wrong("two cats", "unlooped", says="at most 1 is allowed")
def in_two_halves(pieces, out):
    half = -(-len(pieces) // 2)
    rows = sum(map(len, pieces[:half]))
    torch.cat(pieces[:half], out=out[:rows])
    if len(pieces) > 1:
        torch.cat(pieces[half:], out=out[rows:])


@answers.wrong("pieces in float32", "correct", says="float64 pieces")
def pieces_in_float32(pieces, out):
    torch.cat([piece.float() for piece in pieces], out=out)


@answers.wrong("each piece once", "correct", says="one piece twice")
def each_piece_once(pieces, out):
    pieces = list({id(piece): piece for piece in pieces}.values())
    torch.cat(pieces, out=out[: sum(map(len, pieces))])
