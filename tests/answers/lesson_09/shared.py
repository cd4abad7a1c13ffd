"""Scans that answers to several tasks of lesson 09 share; this file holds no answers."""

import torch


def by_rounds(x, step):
    """Scan by doubling: ``step(later, earlier, k)`` combines each row with the row k before it."""
    y, k = x.clone(), 1
    while k < len(x):
        y = torch.cat([y[:k], step(y[k:], y[:-k], k)])
        k *= 2
    return y


def in_pairs(combine, parts):
    """Run the scan of pairs that the lesson teaches."""
    n = len(parts[0])
    if n < 2:
        return [part.clone() for part in parts]
    odd = in_pairs(combine, combine([part[:-1:2] for part in parts], [part[1::2] for part in parts]))
    even = combine([part[: (n - 1) // 2] for part in odd], [part[2::2] for part in parts])
    results = [torch.empty_like(part) for part in parts]
    for result, part, at_odd, at_even in zip(results, parts, odd, even):
        result[0], result[1::2], result[2::2] = part[0], at_odd, at_even
    return results


def stacked(x, step):
    """Loop over rows and keep them in a list."""
    state, rows = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device), []
    for row in x.unbind(0):
        state = step(state, row)
        rows.append(state)
    return torch.stack(rows) if rows else torch.empty_like(x)


def for_each_column(scan, x, *rest):
    """Call a fast ``scan`` of one series for each column in turn."""
    if x.dim() < 2 or not x.numel():
        return scan(x, *rest)
    return torch.stack([scan(column, *rest) for column in x.flatten(1).unbind(1)], -1).reshape(-1, *x.shape[1:])
