"""The thresholds of the rules that decide a line's reason."""

from __future__ import annotations

NEAR_FLOOR = 1.5
"""A line that takes at most this many times its floor runs at the machine's limit."""

TOO_LOW = 1.2
"""A least time of more than this many times the line's own time comes from a limit that was measured too low."""

MOST = 0.5
"""Work that takes this share of a line's time explains the line."""

MUCH = 0.3
"""Work that takes less than this share of a line's time does not explain it."""

LITTLE = 0.15
"""Bytes that need less than this share of a line's time have nothing to do with it, whatever its operations are called."""

LEFT = 0.4
"""If the cache holds all values and this share of the time or less is left, the line waits for memory."""

CLEARLY_MOST = 0.65
"""Time that is measured in two separate runs needs this share: a busy machine may have slowed down one of them."""

NEARLY_ALL = 0.9
"""Operations that take this share of all operations' time are the line's work."""

SMALL_LAUNCHES = 15
"""An operation that takes at most this many times the least launch is small, whatever it does."""

FEW_BYTES_LAUNCHES = 100
"""An operation on few bytes may take this many times the least launch and still be small, because the machine may be busy."""

CALL_LAUNCHES, PYTHON_CALL_S = 3, 2e-7
"""An operation's call takes at most this many times the least launch; a framework's Python function, this many seconds."""

FRAMEWORK_CALL_S, PYTHON_FUNCTION_S = 6e-7, 1e-7
"""Seconds that a framework's Python function typically takes with what it calls, and that any Python function takes at least."""

INTERPRETED_S = 2e-6
"""The most seconds that Python typically takes for one written operation or call, without what a called function does."""

OTHER_WRITTEN = 1.5
"""A line that is written with this many times the operations that it starts also runs other code."""

PASS_LAUNCHES = 30
"""Passing a tensor to NumPy and back, with little work there, takes at most this many times the least launch."""

LONG, HARDLY_LONGER = 5.0, 1.5
"""An operation that takes at least, or at most, this many times its call is long, or hardly more than the call."""

CLEAR_LEAD = 1.5
"""An operation that takes this many times as long as each other one does so in other runs, too."""

NOTICEABLE = 0.05
"""A part of less than this share of a line may work on other, smaller tensors."""

LAUNCHES_PER_WAIT = 2.0
"""On an accelerator, a line with more launches for each wait does more than wait."""

LARGE_LAUNCHES = 30
"""An operation that takes at least this many times the least launch does more than start."""

LIBRARY_CALLS = 400
"""A framework calls fewer Python functions for each operation; more of them are work of their own."""

SLOW_BYTE_S, CHEAP_BYTE_S = 1.5e-9, 0.3e-9
"""Seconds for one byte: the most that an elementwise operation needs, and what a cheap one needs."""

APART = 16
"""A value without neighbors moves its whole cache line, which holds this many values."""

REPEATED = 2.0
"""A line that moves this many times its minimum traffic can save bytes. Moving cached data, or calling a framework, may take
up to this many times as long as usual."""

PRODUCTS_SHOWN = 1 / 3
"""Multiplication is shown to take the time if it needs this share of it even at the machine's multiply peak."""

PRODUCTS_SEEN = 0.1
"""Products that take most of the time compute if they need this share of it at the peak and memory needs little of it."""

LARGE_PRODUCT_FLOPS = 2 * 1024**3
"""The product of two square matrices of 1024 rows reaches the multiply peak."""

REREADS = 3
"""A loop that reads the same tensor in at least this many iterations groups or searches by hand."""

CLOCK_S = 1e-9
"""A line that took no time after the cost of tracing was subtracted took less than the clock resolves."""
