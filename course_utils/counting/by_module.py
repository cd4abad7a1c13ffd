"""``count_modules``: counts one call by the modules that run in it, such as the layers of a model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from course_utils import frameworks
from course_utils.counting.by_line import counting_by_ledger
from course_utils.counting.line_tally import LineTally
from course_utils.counting.line_work import LineWork, line_work
from course_utils.counting.minimum_traffic import MinimumTraffic, Piece, SharedMemory
from course_utils.counting.traffic_ledger import OutOfTime, Recorder


class RunningModule(NamedTuple):
    """A module that runs: its name within the outermost module, such as ``"blocks.0.attn"``, and its class."""

    name: str
    kind: str


ModulePath = tuple[RunningModule, ...]
"""The modules that run at one time, from the outermost to the innermost."""


class ModuleStack:
    """Follows which modules run.

    Attributes:
        path: the modules that run now.
    """

    def __init__(self) -> None:
        self.path: ModulePath = ()
        self._modules: list[Any] = []
        self._names: dict[int, tuple[Any, dict[int, str]]] = {}  # The reference keeps an id from being reused.

    def enter(self, module: Any) -> None:
        """Record that ``module`` begins to run."""
        root = self._modules[0] if self._modules else module
        if id(root) not in self._names:
            names = {id(each): name for name, each in frameworks.of(root).named_modules(root)}
            self._names[id(root)] = root, names
        self._modules.append(module)
        kind = type(module).__name__
        self.path = (*self.path, RunningModule(self._names[id(root)][1].get(id(module)) or kind, kind))

    def leave(self, module: Any) -> None:
        """Record that ``module``, the innermost running one, ends."""
        self._modules.pop()
        self.path = self.path[:-1]

    @contextmanager
    def follow(
        self, on_enter: Callable[[], None] = lambda: None, on_leave: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Follow the modules that are called inside the block; ``on_enter`` and ``on_leave`` run as one begins and ends."""

        def enter(module: Any) -> None:
            self.enter(module)
            on_enter()

        def leave(module: Any) -> None:
            on_leave()
            self.leave(module)

        with ExitStack() as watchers:
            for framework in frameworks.loaded():
                watchers.enter_context(framework.watch_modules(enter, leave))
            yield


@dataclass
class _ModuleMemory(SharedMemory):
    """The memory of a tensor, the module that created it, and the modules that have used it."""

    creator: ModulePath | None
    is_alive: Callable[[], bool]
    users: set[ModulePath] = field(default_factory=set)
    is_used_elsewhere: bool = True  # If this were False, ``MinimumTraffic`` would forget the memory.


class ModuleLedger(Recorder):
    """Records one call by modules. Work of a module counts for the modules around it, too.

    Args:
        stack: the modules that run.
        now, deadline: see ``Recorder``.
    """

    def __init__(self, stack: ModuleStack, now: Callable[[], float], deadline: float) -> None:
        super().__init__(now, deadline)
        self._stack = stack
        self._tallies = defaultdict[ModulePath, LineTally](LineTally)
        self._minimum = defaultdict[ModulePath, MinimumTraffic](MinimumTraffic)
        self._memories: dict[int, _ModuleMemory] = {}

    def current_line(self) -> LineTally:
        """Return the totals of the innermost module that runs now."""
        self._require_time()
        return self._tallies[self._stack.path]

    def record_new_memory(
        self, tally: LineTally, piece: Piece, sources: Iterable[Piece], is_alive: Callable[[], bool]
    ) -> None:
        self._memories[piece.memory] = _ModuleMemory(self._stack.path, is_alive)

    def record_alias(self, memory: int, is_alive: Callable[[], bool]) -> None:
        if memory in self._memories:
            self._memories[memory].add_tensor(is_alive)

    def works(self) -> dict[ModulePath, LineWork]:
        """Return the work of each module, including the work of the modules inside it."""
        paths = {path[:depth] for path in self._tallies for depth in range(1, len(path) + 1)}
        return {
            outer: line_work(
                [(tally, 1.0) for path, tally in self._tallies.items() if path[: len(outer)] == outer],
                self._minimum[outer].total(lambda memory, outer=outer: self._is_needed(memory, outer)),  # type: ignore[misc]
            )
            for outer in paths
        }

    def close(self) -> None:
        """Release all memory."""
        self.on_toggle.clear()
        self._memories.clear()

    def _record_read(self, tally: LineTally, piece: Piece) -> None:
        memory = self._memory_of(piece)
        for outer in self._running():
            if memory.creator is None or memory.creator[: len(outer)] != outer:
                self._minimum[outer].add_read(memory, piece)  # type: ignore[arg-type]

    def _record_write(self, tally: LineTally, piece: Piece) -> None:
        memory = self._memory_of(piece)
        for outer in self._running():
            self._minimum[outer].add_write(memory, piece)  # type: ignore[arg-type]

    def _memory_of(self, piece: Piece) -> _ModuleMemory:
        memory = self._memories.setdefault(piece.memory, _ModuleMemory(None, lambda: True))
        memory.users.add(self._stack.path)
        return memory

    def _running(self) -> Iterator[ModulePath]:
        """Return the paths of the modules that run now, from the outermost to the innermost."""
        return (self._stack.path[:depth] for depth in range(1, len(self._stack.path) + 1))

    @staticmethod
    def _is_needed(memory: Any, outer: ModulePath) -> bool:
        """Return whether anything outside a module uses memory that the module wrote."""
        is_used = any(path[: len(outer)] != outer for path in memory.users)
        return memory.creator is None or is_used or memory.is_alive()


def count_modules(call: Callable[[], Any], now: Callable[[], float], limit_s: float) -> dict[ModulePath, LineWork]:
    """Return the counts of one call by module, including those of the modules inside it; {} if the call runs no module.

    Args:
        call: what to count.
        now: the clock that times operations while they are counted.
        limit_s: seconds after which counting ends; then the result is {}.
    """
    stack = ModuleStack()
    ledger = ModuleLedger(stack, now, now() + limit_s)
    try:
        with stack.follow(), counting_by_ledger(ledger):
            result = call()
        works = ledger.works()
        del result  # The result stays alive until here, so that its memory counts as needed.
        return works
    except OutOfTime:
        return {}
    finally:
        ledger.close()
