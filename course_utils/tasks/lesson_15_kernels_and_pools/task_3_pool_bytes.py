"""The bytes that a caching allocator holds and wastes after a list of allocations and frees.

The rules are those of PyTorch's CUDA allocator with its default settings: c10/core/AllocatorConfig.h and
c10/cuda/CUDACachingAllocator.cpp.
"""

from __future__ import annotations

from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task

KIB, MIB = 2**10, 2**20


def pool_bytes_slow(trace):
    """Return the bytes that the pool holds at the end, and how many of them no living tensor requested."""
    alive = {}
    segments = []  # each one is (small, its blocks); a block is [bytes, name], and a free block has the name None
    for action, name, size in trace:
        if action == "free":
            del alive[name]
            for _, blocks in segments:
                for i in reversed(range(len(blocks))):
                    if blocks[i][1] == name:
                        blocks[i][1] = None
                        for left in (i, i - 1):  # a free block merges with its free neighbors
                            if 0 <= left < len(blocks) - 1 and blocks[left][1] is None and blocks[left + 1][1] is None:
                                blocks[left][0] += blocks.pop(left + 1)[0]
            continue
        alive[name] = size
        rounded = -(-size // 512) * 512
        small = rounded <= 2**20
        fitting = [
            (block[0], blocks, block)
            for is_small, blocks in segments
            for block in blocks
            if is_small == small and block[1] is None and block[0] >= rounded
        ]
        if fitting:  # the smallest block; if several are equal, the first one
            _, blocks, block = min(fitting, key=lambda each: each[0])
        else:
            large = 20 * 2**20 if rounded < 10 * 2**20 else -(-rounded // 2**21) * 2**21
            block = [2 * 2**20 if small else large, None]
            blocks = [block]
            segments.append((small, blocks))
        rest = block[0] - rounded
        block[1] = name
        if rest >= 512 if small else rest > 2**20:
            block[0] = rounded
            blocks.insert(blocks.index(block) + 1, [rest, None])
    held = sum(block[0] for _, blocks in segments for block in blocks)
    return held, held - sum(alive.values())


def random_trace(generator, events, largest=20, keep=0.55):
    """Return allocations of 1 byte to 2**(largest + 5) bytes and frees of random living tensors."""
    trace, living = [], {}
    for number in range(events):
        if living and generator.random() > keep:
            name = list(living)[int(generator.integers(len(living)))]
            trace.append(("free", name, living.pop(name)))
        else:
            size = int(2 ** generator.uniform(0, largest + (5 if generator.random() < 0.4 else 0)))
            living[f"t{number}"] = size
            trace.append(("alloc", f"t{number}", size))
    return trace


def _trace(*sizes, freed=(), then=()):
    """Return a trace: allocations, frees by number, and more allocations, among which a name such as ``"t2"`` is a
    free."""
    free = lambda number: ("free", f"t{number}", sizes[number])
    return [
        *(("alloc", f"t{number}", size) for number, size in enumerate(sizes)),
        *map(free, freed),
        *(
            free(int(event[1:])) if isinstance(event, str) else ("alloc", f"u{number}", event)
            for number, event in enumerate(then)
        ),
    ]


def _case(name, *sizes, **later):
    return Case(name, lambda _: (_trace(*sizes, **later),))


RACE_SIZE = 1600

TASK = Task(
    id="pool_bytes",
    title="The bytes that a pool holds and wastes",
    points=3,
    level=2,
    framework="none",
    slow=pool_bytes_slow,
    inputs=lambda size, generator: (random_trace(generator, size, *((18, 0.95) if size == RACE_SIZE else ())),),
    sizes=(1, 2, 3, 5, 17, 60),
    race_size=RACE_SIZE,
    edge_cases=(
        Case("an empty trace", lambda _: ([],)),
        _case("a request of 1 MB, and one of a byte more", MIB, MIB + 1),
        # The first request is rounded up to 10 MB, so its segment has no room for the second one.
        _case("requests of 10 MB less 1 byte, and of 10 MB less 512 bytes", 10 * MIB - 1, 10 * MIB - 512),
        _case("a free block that is reused as a whole", 3 * MIB, freed=[0], then=[19 * MIB + 1]),
        # Without the split, the last request needs a second segment.
        _case("a rest of exactly 512 bytes, which is split off", MIB, MIB - 512, then=[512]),
        # u0 gets the whole block of 16 MB, so t2 leaves 2 MB at the end of the segment, and not 3 MB.
        _case(
            "an unsplit rest of exactly 1 MB next to a freed block",
            *(2 * MIB, 16 * MIB, 2 * MIB),
            freed=[1],
            then=[15 * MIB, "t2", 2 * MIB + MIB // 4],
        ),
        # u0 takes the place of t0, so t4 merges with the free t3.
        _case("the first of two equal free blocks", *[4 * MIB] * 5, freed=[3, 0], then=[4 * MIB, "t4", 8 * MIB]),
        # u0 takes the place of t1, so t6 merges with the free t5.
        _case("equal free blocks of two segments", *[4 * MIB] * 10, freed=[1, 5], then=[4 * MIB, "t6", 8 * MIB]),
        # As before, in the pool of small requests.
        _case(
            "the first of two equal small free blocks",
            *[400 * KIB] * 5,
            freed=[3, 0],
            then=[400 * KIB, "t4", 800 * KIB],
        ),
        _case(
            "equal small free blocks of two segments",
            *[400 * KIB] * 10,
            freed=[1, 5],
            then=[400 * KIB, "t6", 800 * KIB],
        ),
        # u0 takes the place of t11, so t52 merges with the free t51; t5 and t16 are in different segments.
        _case(
            "equal free blocks of the third and the eleventh segment",
            *[4 * MIB] * 60,
            freed=[11, 51],
            then=[4 * MIB, "t52", 8 * MIB, "t5", "t16", 8 * MIB, 12 * MIB],
        ),
        # u0 leaves the place of t1, which u2 takes, so t4 merges with the free t3.
        _case(
            "two equal free blocks, the first of which was split off last",
            *[4 * MIB] * 5,
            freed=[0, 1],
            then=[4 * MIB, "t3", 4 * MIB, "t4", 8 * MIB],
        ),
        _case("a rest of 512 bytes more than 1 MB", 20 * MIB, freed=[0], then=[19 * MIB - 512, MIB + 1]),
        _case("three neighbors, freed left, right, middle", *[4 * MIB] * 3, freed=[0, 2, 1], then=[20 * MIB - 5]),
        _case("the smaller one of two free blocks", *[4 * MIB] * 5, 3 * MIB, freed=[0, 1, 5], then=[2 * MIB, 8 * MIB]),
        _case(
            "the smaller one of two free blocks, after the larger one",
            *(8 * MIB, 2 * MIB, 4 * MIB, 6 * MIB),
            freed=[0, 2],
            then=[4 * MIB, 8 * MIB],
        ),
        _case("growing tensors of more than 1 GB", 1100 * MIB, freed=[0], then=[1300 * MIB]),
        _case("many small tensors", *[700 * KIB] * 7, freed=[1, 3, 5], then=[900 * KIB]),
    ),
    worst=(Case("every second of many tensors freed", lambda g: (_comb(g),)),),
    story=prose(
        """
        A training run ends with an out-of-memory error, although its tensors would fit. You have a list of its
        allocations and frees: `("alloc", "h1", 3000000)` is a new tensor of 3,000,000 bytes, and
        `("free", "h1", 3000000)` frees it. How many bytes did PyTorch's caching allocator hold at the end, and how many
        of them did no living tensor request? The loop below follows the allocator's rules, but it searches all blocks
        for each event, which takes a long time for a real trace. Write `pool_bytes(trace)`, which returns
        `(held, wasted)` in bytes.
        """
    ),
    rules=prose(
        """
        - A request is rounded up to a multiple of 512 bytes. Requests of at most 1 MB, which is 2**20 bytes, and larger ones
          have separate pools.
        - A request gets the smallest free block of its pool that fits. If several free blocks have this size, the
          request gets the first of them in the oldest segment that has one. If no block fits, the pool gets a new
          segment: 2 MB for small requests, 20 MB for requests below 10 MB, and otherwise the request rounded up to a
          multiple of 2 MB.
        - The rest of a block becomes a free block: in the small pool if 512 bytes or more are left, in the large pool if
          more than 1 MB is left. Otherwise the request gets the whole block.
        - A freed block merges with free neighbors of its segment. Segments stay in the pool. All sizes are 1 or more,
          names are unique, and each tensor is freed at most once. The trace is not modified.
        """
    ),
    target=5.0,
    ways={},
    hints=items(
        """
        - For which events does the loop look at blocks that cannot matter? Which blocks does an allocation need to see, and
          which one does a free need to find?
        - A dict finds the block of a name at once. A sorted list of the free blocks of each pool, with `bisect`, finds the
          smallest block that fits.
        - Give each block its pool, its position `(segment, offset)` and its size. Two dicts, from the position of a block
          to the block and from the position of its end to the block, find the neighbors of a freed block.
        """
    ),
    mistakes=(
        Mistake(
            "These are the bytes that the tensors requested: the pool holds whole segments.",
            lambda trace: (sum(_living(trace).values()), 0),
        ),
        Mistake(
            "The pool keeps freed blocks: count whole segments, not only the blocks of living tensors.",
            lambda trace: _rounded_only(trace),
        ),
    ),
    sources=("S2.8",),
)


def _comb(generator):
    sizes = generator.integers(1, 3 * MIB, 60).tolist()
    return _trace(*sizes, freed=range(0, 60, 2), then=generator.integers(1, 6 * MIB, 20).tolist())


def _living(trace):
    living = {}
    for action, name, size in trace:
        if action == "alloc":
            living[name] = size
        else:
            del living[name]
    return living


def _rounded_only(trace):
    living = _living(trace).values()
    held = sum(-(-size // 512) * 512 for size in living)
    return held, held - sum(living)
