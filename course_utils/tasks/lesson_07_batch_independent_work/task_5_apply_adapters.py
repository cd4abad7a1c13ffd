"""Many small models on one large one, in a few products: each request in a batch has its own adapter.

The method is low-rank adapters (Hu et al., LoRA, 2021), served in one batch (Chen et al., Punica, 2023). Multiplying every
request with every adapter and masking the result is more arithmetic and far less memory traffic than copying an adapter for
each request.
"""

from __future__ import annotations

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, normal

_ADAPTERS, _RANK = 8, 4


def apply_adapters_slow(x, which, weight, down, up):
    """Return each request's output: its product with the shared weight plus the result of its own adapter."""
    rows = []
    for i in range(len(x)):
        own = which[i]
        shared = x[i] @ weight
        low_rank = (x[i] @ down[own]) @ up[own]
        rows.append(shared + low_rank)
    return torch.stack(rows)


def apply_adapters_gathered(x, which, weight, down, up):
    """Return the outputs, computed by batched products with a copy of each request's adapter."""
    hidden = x[:, None] @ down[which]
    return x @ weight + (hidden @ up[which])[:, 0]


def _sizes(size):
    # Adapters, width, rank. Small inputs are printed in messages, and large ones are raced. At the larger count size, a loop
    # over any of these axes exceeds the limit on operations.
    if size > 64:
        return _ADAPTERS, 512, _RANK
    return (33, 30, 26) if size > 32 else (1 + size // 2, 6, 3)


def _request_inputs(size, generator):
    adapters, width, rank = _sizes(size)
    return _requests(size, adapters, width, width, generator, rank)


def _requests(size, adapters, features, out, generator, rank=2):
    shapes = (size, features), (features, out), (adapters, features, rank), (adapters, rank, out)
    x, weight, down, up = (
        normal(generator, *shape, scale=1 / shape[-2] ** 0.5 if shape[-2] else 1) for shape in shapes
    )
    return x, integers(generator, 0, adapters, size), weight, down, up


def _cost(size):
    adapters, width, rank = _sizes(size)
    return Cost(
        reads=4 * (size * width + width**2 + adapters * 2 * width * rank) + 8 * size,
        writes=4 * size * width,
        flops=2 * size * width * (width + 2 * rank),
        launches=3,
    )


def _with(name, which, adapters, features=4, out=3, **options):
    """Return requests for exactly these adapters."""

    def make(g):
        x, _, *numbers = _requests(len(which), adapters, features, out, g, **options)
        return x, torch.tensor(which, dtype=torch.int64), *numbers

    return Case(name, make)


def _apart(g):
    x, which, weight, down, up = _requests(4, 3, 5, 6, g)
    return noncontiguous(x), which, weight.T.contiguous().T, down.mT.contiguous().mT, noncontiguous(up)


def _with_a_huge_adapter(generator):
    x, _, weight, down, up = _requests(5, 3, 4, 3, generator)
    down[1] *= 1e30
    return x, torch.tensor([2, 0, 0, 2, 0]), weight, down, up


def _without_shared(x, which, weight, down, up):
    return apply_adapters_slow(x, which, torch.zeros_like(weight), down, up)


def _without_adapters(x, which, weight, down, up):
    return x @ weight


def _the_first_for_all(x, which, weight, down, up):
    return x @ weight + x @ down[0] @ up[0]


def _all_adapters(x, which, weight, down, up):
    return x @ weight + (x @ down @ up).sum(0)


def _by_place(x, which, weight, down, up):
    return apply_adapters_slow(x, torch.arange(len(x), device=x.device) % len(down), weight, down, up)


TASK = Task(
    id="apply_adapters",
    title="An adapter per request, in one batch",
    points=3,
    level=3,
    slow=apply_adapters_slow,
    inputs=_request_inputs,
    dtypes={"x, weight, down, up": FLOATING},
    edge_cases=(
        _with("a single request", [1], 3),
        _with("a single adapter", [0, 0, 0], 1),
        _with("an adapter without requests", [2, 0, 2], 3),
        _with("all requests for the last adapter", [2, 2], 3),
        _with("adapters of rank 1 and a single output", [1, 0, 1], 2, out=1, rank=1),
        _with("as many requests as adapters", [2, 0, 1], 3),
        _with("equal sizes on all axes", [1, 2, 0], 3, features=3, out=3, rank=3),
        Case("noncontiguous tensors", _apart),
        Case("4,099 requests", lambda g: _requests(4099, 3, 4, 3, g)),
        Case("4,099 features", lambda g: _requests(3, 2, 4099, 3, g)),
        Case("4,099 outputs", lambda g: _requests(3, 2, 4, 4099, g)),
    ),
    worst=(
        Case("values of about 1e30 in an adapter without requests", _with_a_huge_adapter),
        _with("ten adapters of rank 7", [9, 0, 9, 4], 10, features=12, out=11, rank=7),
        _with("4,099 adapters, more than float16 can count", [4098, 0, 257, 2049], 4099),
        Case("adapters of rank 4,099", lambda g: _requests(3, 2, 4, 3, g, rank=4099)),
    ),
    race_size=512,
    story=prose(
        """
        A language model serves many customers at once. They share its large weights, and each customer has an
        **adapter**: two thin matrices, trained on the customer's own texts. A request passes through the shared weight
        and, in parallel, through its customer's adapter: first *down* to a few values, then *up* again; the two
        results are added. The server computes the next words of hundreds of requests together, and their adapters
        differ. Write `apply_adapters(x, which, weight, down, up)`, as close to the limit of your machine as you can.
        """
    ),
    rules=prose(
        """
        - `x` has shape (requests, features) with at least one request. `which` holds the int64 index of each request's
          adapter. `weight` has shape (features, out), `down` has shape (adapters, features, rank), and `up` has
          shape (adapters, rank, out). All values are finite, including the result of each adapter for each request. `x`, `weight`,
          `down`, `up` and the result have one floating dtype.
        - The result has shape (requests, out), in the order of the requests.
        - The race has 512 requests, 512 features, 512 outputs, and 8 adapters of rank 4. Two answers that pass can
          differ widely: the card shows your share of the limit.
        """
    ),
    limits=(at_most(24, "ops"), at_most(0, "syncs")),
    target=1.3,
    cost=_cost,
    ways={"gathered adapters": apply_adapters_gathered},
    hints=items(
        """
        - The shared part is one product and most of the arithmetic. `down[which]` fetches an adapter for each request:
          how many bytes does that copy, and how many bytes are there to read?
        - A wide product can cost less than a copy of an adapter for each request. Take *all* requests down through
          *all* adapters in one product. Then write 0 at the adapters that don't belong to the request, and take
          everything up in one more product.
        - `hidden = torch.einsum("rf,afk->rak", x, down)`; `own = torch.arange(len(down), device=x.device) == which[:,
          None]`; then `torch.addmm(x @ weight, hidden.masked_fill(~own[:, :, None], 0).flatten(1), up.flatten(0, 1))`.
        """
    ),
    mistakes=(
        Mistake("The shared part is missing: add `x @ weight` for every request.", _without_shared),
        Mistake("This is only `x @ weight`: add the result of each request's adapter.", _without_adapters),
        Mistake("Every request used adapter 0: request i uses adapter `which[i]`.", _the_first_for_all),
        Mistake(
            "The outputs of all adapters are added up: write 0 at the adapters that don't belong to the request.",
            _all_adapters,
        ),
        Mistake("The adapters follow the request's position: request i uses adapter `which[i]`.", _by_place),
    ),
)
