"""Kinds of operations that a reason depends on, by what both frameworks call them."""

from __future__ import annotations

COPIES = ("_to_copy", "copy_", "lift_fresh", "clone")
# Operations of next to no arithmetic, by what both frameworks call them.
_MOVES = """
    add addv2 addn sub rsub mul div realdiv neg abs relu biasadd clamp clipbyvalue where select selectv2 maximum minimum gt lt ge
    le eq ne greater less sum mean amax amin max min addcmul addcdiv lerp square sqrt fill zero zeros zeros_like zeroslike ones
    ones_like oneslike full copy clone to_copy identity cat concatv2 stack pack
"""
_CHEAP = frozenset(_MOVES.split())
PRODUCTS = (
    *("mm", "addmm", "bmm", "baddbmm", "mv", "dot", "convolution", "convolution_backward"),
    *("MatMul", "BatchMatMulV2", "Einsum", "Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"),
)
PICKS = (
    "index", "gather", "index_select", "embedding", "embedding_dense_backward", "scatter", "scatter_", "scatter_add_",
    "index_put", "index_put_", "_index_put_impl_", "index_add", "index_add_", "masked_select", "nonzero",
    "GatherV2", "GatherNd", "ResourceGather", "ScatterNd", "TensorScatterUpdate", "UnsortedSegmentSum",
)  # fmt: skip
# They compute nothing either, and read or write in another order than the memory's.
_REORDERS = """
    transpose reverse reversev2 reversesequence flip roll tile repeat pad padv2 mirrorpad constant_pad_nd slice stridedslice split
    splitv unpack broadcastto
"""
_REORDERING = frozenset(_REORDERS.split())


def reorders(name: str) -> bool:
    """Whether an operation moves values to other places, one by one or piece by piece, and computes nothing."""
    return name in PICKS or name.strip("_").lower() in _REORDERING


def is_cheap(name: str) -> bool:
    """Whether an operation only moves memory: of a list of tensors, in place, or in a framework of other spelling, too."""
    return name.removeprefix("_foreach_").strip("_").lower() in _CHEAP
