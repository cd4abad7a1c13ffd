"""Lets torch load what it loads at its first operations, once for all children. No gradient may be computed here."""

from __future__ import annotations

import torch

from course_utils.counting import count


def warm_up(loads_compiler: bool) -> None:
    """Run a counted operation and a vectorized function; ``loads_compiler``: let torch import its compiler as well.

    The compiler is a third of the memory, which takes time at each fork.
    """
    count(torch.add, torch.ones(3), 1)
    if loads_compiler:
        meta = torch.ones(2, 2, device="meta")
        (meta - meta) / meta  # torch imports it to find out the shape
    torch.func.vmap(torch.sin)(torch.ones(2))
    torch.set_num_threads(1)
