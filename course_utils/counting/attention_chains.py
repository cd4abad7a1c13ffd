"""``AttentionLedger`` finds attention that is written out: a product, its softmax, and a product with the softmax.

For ``torch.softmax(query @ key.mT / 8, -1) @ value``, a counter reports

    record_operation("bmm", reads query and key, writes scores)    record_operation("div", reads scores, writes scaled)
    record_operation("_softmax", reads scaled, writes weights)     record_operation("bmm", reads weights and value, writes result)

and ``attention`` has the statement of the last product, with the statements of all four.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from course_utils.counting.line_tally import LineTally
from course_utils.counting.minimum_traffic import Piece
from course_utils.counting.operation_kinds import kind_of
from course_utils.counting.traffic_ledger import Ledger
from course_utils.counting.user_code import Statement

_SOFTMAX = "_softmax"
_LAYERS = ("addmm", "linear")  # A product that adds a bias is a linear layer, not attention.


@dataclass(frozen=True)
class _Chain:
    """The statements that produced the values in a storage: scores, or weights if a softmax is among the operations."""

    statements: frozenset[Statement]
    has_softmax: bool = False


class AttentionLedger(Ledger):
    """A ledger that follows tables of scores and weights from one operation to the next.

    Attributes:
        attention: the statement of a product with weights → the statements that the attention is written in.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.attention: dict[Statement, frozenset[Statement]] = defaultdict(frozenset)
        self._chains: dict[int, _Chain] = {}

    def record_operation(
        self,
        tally: LineTally,
        name: str,
        seconds: float,
        read: Iterable[Piece],
        written: Iterable[Piece],
        operands: int,
    ) -> None:
        read, written, statement = list(read), list(written), self._statement
        super().record_operation(tally, name, seconds, read, written, operands)
        known = [(piece.size, chain) for piece in read if (chain := self._chains.get(piece.memory))]
        is_product = kind_of(name) == "product" and "conv" not in name
        if is_product and name not in _LAYERS:
            for _, chain in known:
                if chain.has_softmax:
                    self.attention[statement] |= chain.statements | {statement}
        for piece in written:
            if is_product:
                self._chains[piece.memory] = _Chain(frozenset({statement}))
                continue
            # A sum or a part of a table has another size. A cast to another dtype halves or doubles the bytes.
            same = [chain for size, chain in known if piece.size in (size, 2 * size, size / 2)]
            self._chains.pop(piece.memory, None)
            if same:
                chain = max(same, key=lambda each: each.has_softmax)
                has_softmax = chain.has_softmax or name == _SOFTMAX
                self._chains[piece.memory] = _Chain(chain.statements | {statement}, has_softmax)
