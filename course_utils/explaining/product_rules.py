"""The rules that decide whether matrix products and convolutions take a line's time."""

from __future__ import annotations

from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.thresholds import CLEARLY_MOST, LITTLE, MOST, MUCH, PRODUCTS_SEEN, PRODUCTS_SHOWN


def multiplies(line: LineMeasurements) -> bool:
    """Return whether products take most of the line's time: by their flops, or because memory needs little of it."""
    in_products = not line.parts or line.parts_s("product") >= MOST * line.seconds
    if in_products and line.product_s >= PRODUCTS_SHOWN * line.seconds:
        return True
    products_s = _products_s(line)
    if products_s >= MOST * line.seconds and _need_much_at_the_peak(line, products_s):
        return True
    if "graph" in line.work.operation_seconds:
        return False  # What the products in a graph read is not known.
    # Not all new pages need be those of the products.
    is_most = products_s >= CLEARLY_MOST * line.seconds and products_s - line.page_fault_s >= MOST * line.seconds
    only_products = line.has_operation_times and is_most and line.cold_memory_s < MUCH * line.seconds
    return only_products and line.product_s >= PRODUCTS_SEEN * line.seconds


def shown_products_s(line: LineMeasurements) -> float:
    """Return the seconds in which products are shown to compute: all of their time if they need much of it even at the peak,
    else the time that they need there.
    """
    products_s = _products_s(line)
    # Products inside another operation are not in the time of products alone.
    return max(line.product_s, products_s) if _need_much_at_the_peak(line, products_s) else line.product_s


def multiplies_longer(line: LineMeasurements, seconds: float) -> bool:
    """Return whether products of many flops take more than ``seconds``, even if all new pages are theirs."""
    products_s = line.operation_s * line.share_of("product") - line.page_fault_s
    return line.product_s >= LITTLE * line.seconds and products_s > seconds


def _products_s(line: LineMeasurements) -> float:
    return line.parts_s("product") if line.parts else line.operation_s * line.share_of("product")


def _need_much_at_the_peak(line: LineMeasurements, products_s: float) -> bool:
    return line.has_operation_times and line.product_s >= PRODUCTS_SHOWN * products_s
