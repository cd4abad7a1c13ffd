"""Answers to token_distances."""

import torch

from answers import AnswersTo

answers = AnswersTo("token_distances")

answers.right("a column minus a row")(lambda queries, keys: queries[:, None] - keys)
answers.wrong("a column if there are no keys", "correct")(
    lambda q, keys: q[:, None] - keys if len(keys) else q[:, None]
)
answers.wrong("without a new axis", "correct")(lambda queries, keys: queries - keys)


@answers.wrong("a loop over queries", "unlooped")
def row_by_row(queries, keys):
    rows = [query - keys for query in queries]
    return torch.stack(rows) if rows else queries[:, None] - keys


@answers.wrong("differences in float32", "correct", says="positions that float32 rounds")
def in_float32(queries, keys):
    return (queries.float()[:, None] - keys.float()).to(queries.dtype)


@answers.wrong("differences in 32 bits", "correct", says="positions that float64 rounds")
def in_32_bits(queries, keys):
    distances = queries.double()[:, None] - keys.double()
    return distances.to(queries.dtype) if queries.is_floating_point() else distances.int().to(queries.dtype)


@answers.wrong("nested lists", "unlooped", says="hands a tensor's values to Python")
def in_lists(queries, keys):
    rows = [[query - key for key in keys.tolist()] for query in queries.tolist()]
    return torch.tensor(rows, dtype=queries.dtype, device=queries.device).reshape(len(queries), len(keys))


answers.wrong("at most 1,000 keys", "correct", says="5,000 keys")(
    lambda queries, keys: torch.cat([queries[:, None] - keys[:1000], -keys[1000:].expand(len(queries), -1)], 1)
)
