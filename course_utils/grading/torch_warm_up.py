"""Makes torch load everything that its first operations need, once for all children. No gradient may be computed
here."""

from __future__ import annotations

import torch

from course_utils.counting import count


def warm_up() -> None:
    """Run a counted operation, one on the ``meta`` device, and a vectorized function.

    The operation on ``meta`` makes torch import its compiler, which optimizers and checkpoints need, too. A child cannot
    import it, because the import creates a folder.
    """
    count(torch.add, torch.ones(3), 1)
    meta = torch.ones(2, 2, device="meta")
    (meta - meta) / meta
    torch.func.vmap(torch.sin)(torch.ones(2))
