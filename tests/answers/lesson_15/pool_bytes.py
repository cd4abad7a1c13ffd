"""Answers to pool_bytes."""

from bisect import bisect_left, insort

import numpy as np

from answers import AnswersTo

MIB = 2**20
answers = AnswersTo("pool_bytes")
answers.exception("nothing returned", "correct", says="expected a tuple")
answers.exception("the slow loop itself", "fast")
SLACK = {True: 511, False: MIB}


def _replay(trace, slack=SLACK, merge=True, first_fit=False, last=False, round_to=512, medium=10 * MIB - 1, rank=None):
    free = {True: [], False: []}
    created = {}
    at, ends, names, living, segments = {}, {}, {}, {}, []

    def add(small, segment, start, size):
        insort(free[small], (size, segment, start))
        at[segment, start] = size
        ends[segment, start + size] = start

    def take(small, segment, start):
        size = at.pop((segment, start))
        del ends[segment, start + size]
        free[small].remove((size, segment, start))
        return size

    for now, (action, name, size) in enumerate(trace):
        if action == "free":
            small, segment, start, length = names.pop(name)
            del living[name]
            if merge and (segment, start + length) in at:
                length += take(small, segment, start + length)
            if merge and (segment, start) in ends:
                before = ends[segment, start]
                length += take(small, segment, before)
                start = before
            add(small, segment, start, length)
            continue
        living[name] = size
        rounded = -(-size // round_to) * round_to
        small = rounded <= MIB
        blocks = free[small]
        place = bisect_left(blocks, (rounded, -1, -1))
        if place == len(blocks):
            segment = 2 * MIB if small else 20 * MIB if rounded <= medium else -(-rounded // (2 * MIB)) * 2 * MIB
            segments.append(segment)
            add(small, len(segments) - 1, 0, segment)
            created[len(segments) - 1, 0] = now
            place = bisect_left(blocks, (rounded, -1, -1))
        if last:
            place = bisect_left(blocks, (blocks[place][0] + 1, -1, -1)) - 1
        if rank:
            equal = [each for each in blocks[place:] if each[0] == blocks[place][0]]
            place = blocks.index(min(equal, key=lambda block: rank(block, created)))
        if first_fit:
            place = blocks.index(min(blocks[place:], key=lambda block: block[1:]))
        length, segment, start = blocks[place]
        take(small, segment, start)
        if length - rounded > slack[small]:
            add(small, segment, start + rounded, length - rounded)
            created[segment, start + rounded] = now
            length = rounded
        names[name] = small, segment, start, length
    held = sum(segments)
    return held, held - sum(living.values())


@answers.right("sorted free blocks")
def sorted_blocks(trace):
    return _replay(trace)


@answers.right("a list of free blocks and a dict of used blocks")
def free_list(trace, last_id=10**9):
    free, used, held, requested, segments = [], {}, 0, 0, 0
    for action, name, size in trace:
        if action == "free":
            requested -= size
            small, segment, start, end = used.pop(name)
            near = [each for each in free if each[1] == segment and (each[2] == end or each[3] == start)]
            for each in near:
                free.remove(each)
                start, end = min(start, each[2]), max(end, each[3])
            free.append((small, segment, start, end))
            continue
        requested += size
        rounded = (size + 511) // 512 * 512
        small = rounded <= MIB
        fitting = [each for each in free if each[0] == small and each[3] - each[2] >= rounded]
        if fitting:
            block = min(fitting, key=lambda each: (each[3] - each[2], each[1], each[2]))
            free.remove(block)
        else:
            length = (
                2 * MIB if small else 20 * MIB if rounded < 10 * MIB else (rounded + 2 * MIB - 1) // (2 * MIB) * 2 * MIB
            )
            block, segments, held = (small, min(segments, last_id), 0, length), segments + 1, held + length
        _, segment, start, end = block
        if end - start - rounded > SLACK[small]:
            free.append((small, segment, start + rounded, end))
            end = start + rounded
        used[name] = small, segment, start, end
    return held, held - requested


answers.wrong("free blocks of different segments merge", "correct", says="the eleventh segment")(
    lambda trace: free_list(trace, 1)
)


@answers.wrong("free blocks never merge", "correct")
def never_merged(trace):
    return _replay(trace, merge=False)


@answers.wrong("the first free block that fits instead of the smallest", "correct")
def first_fit(trace):
    return _replay(trace, first_fit=True)


@answers.wrong("large blocks split for 512 bytes, too", "correct")
def split_always(trace):
    return _replay(trace, slack={True: 511, False: 511})


@answers.wrong("a small block not split if 512 bytes are left", "correct")
def small_rest(trace):
    return _replay(trace, slack={True: 512, False: MIB})


@answers.wrong("a large block split if 1 MB is left", "correct")
def large_rest(trace):
    return _replay(trace, slack={True: 511, False: MIB - 1})


@answers.wrong("a large block not split if 1 MB and 512 bytes are left", "correct", says="512 bytes more than 1 MB")
def larger_rest(trace):
    return _replay(trace, slack={True: 511, False: MIB + 512})


@answers.wrong("bytes in int32", "correct", says="more than 1 GB")
def in_int32(trace):
    return tuple(int(np.int64(each).astype(np.int32)) for each in _replay(trace))


@answers.wrong("the last of equal free blocks", "correct")
def last_of_equal_blocks(trace):
    return _replay(trace, last=True)


@answers.wrong("the equal free block closest to its segment's start", "correct", says="two segments")
def closest_to_the_start(trace):
    return _replay(trace, rank=lambda block, created: block[2])


@answers.wrong("the equal free block that was split off first", "correct", says="split off last")
def split_off_first(trace):
    return _replay(trace, rank=lambda block, created: created[block[1:]])


@answers.wrong("a segment of 20 MB for 10 MB", "correct")
def large_segment_for_10_mb(trace):
    return _replay(trace, medium=10 * MIB)


@answers.wrong("wasted and held swapped", "correct")
def swapped(trace):
    return _replay(trace)[::-1]


@answers.wrong("rounded to 4,096 bytes", "correct")
def rounded_to_pages(trace):
    return _replay(trace, round_to=4096)


answers.wrong("segments in the order of their numbers as text", "correct", says="the third and the eleventh segment")(
    lambda trace: _replay(trace, rank=lambda block, created: (str(block[1]), block[2]))
)

answers.wrong("the last segment's equal block in the small pool", "correct", says="equal small free blocks")(
    lambda trace: _replay(trace, rank=lambda block, created: (-block[1] if block[0] <= MIB else block[1], block[2]))
)
