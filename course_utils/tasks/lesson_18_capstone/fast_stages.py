"""The course's own fast version of each stage, and of the whole pipeline.

Components are computed on horizontal runs of pixels, of which there are far fewer than pixels (He, Chao and Suzuki, 2008,
"A run-based two-scan labeling algorithm"). For the mask

    1 1 0 1        runs 0 0 · 1
    0 1 1 1             · 2 2 2

the vertical contacts are 0–2 and 1–2, and each run adopts the smallest number that it is connected with: one component.
"""

from __future__ import annotations

import torch


def course_foreground(maps, thresholds, sizes):
    """Compare all pixels at once, with their image's threshold and size."""
    _, height, width = maps.shape
    rows = torch.arange(height, device=maps.device)[:, None]
    columns = torch.arange(width, device=maps.device)
    inside = (rows < sizes[:, 0, None, None]) & (columns < sizes[:, 1, None, None])
    return (maps >= thresholds[:, None, None]) & inside


def course_label_components(masks):
    """Join horizontal runs: hook each root to a smaller one, then flatten the trees by pointer jumping."""
    run_of_pixel, first_pixels, joined = _runs(masks)
    roots = _smallest_in_component(len(first_pixels), *joined)
    is_root = roots == torch.arange(len(roots), device=roots.device)
    numbers = is_root.cumsum(0)
    # Numbers continue from image to image; subtract the number of components in earlier images.
    images = first_pixels // max(masks[0].numel(), 1) if len(masks) else first_pixels
    per_image = torch.zeros(len(masks), dtype=torch.int64, device=masks.device).index_add_(0, images, is_root.long())
    before = per_image.cumsum(0) - per_image
    run_labels = numbers[roots] - before[images]
    labels = torch.cat([run_labels.new_zeros(1), run_labels])[run_of_pixel]
    return labels.view(masks.shape) * masks


def _runs(masks):
    """Return the run of each pixel, counted from 1, the first pixel of each run, and the pairs of runs that touch vertically."""
    masks = masks.contiguous()
    starts = masks.clone()
    starts[..., 1:] &= ~masks[..., :-1]
    run_of_pixel = starts.view(-1).cumsum(0)
    first_pixels = starts.view(-1).nonzero()[:, 0]
    # Two runs may touch at many pixels; the first one is enough.
    contact = masks[:, 1:] & masks[:, :-1]
    contact[..., 1:] &= ~(contact[..., :-1] & masks[:, 1:, :-1])
    image, row, column = contact.nonzero().unbind(1)
    _, height, width = masks.shape
    upper = (image * height + row) * width + column
    return run_of_pixel, first_pixels, (run_of_pixel[upper] - 1, run_of_pixel[upper + width] - 1)


def _smallest_in_component(count, one, other):
    """Return the smallest node that each of ``count`` nodes is connected with by the edges ``one``–``other``."""
    roots = torch.arange(count, device=one.device)
    while True:
        low, high = torch.minimum(one, other), torch.maximum(one, other)
        if torch.equal(low, high):
            return roots
        roots.scatter_reduce_(0, high, low, "amin")
        while not torch.equal(jumped := roots[roots], roots):
            roots = jumped
        one, other = roots[low], roots[high]


def course_drop_small(labels, min_area):
    """Count the pixels of all instances in one ``bincount``, then look up each pixel's new number."""
    if labels.numel() == 0:
        return labels.clone()
    images, slots = len(labels), int(labels.max()) + 1
    keys = (labels + slots * torch.arange(images, device=labels.device)[:, None, None]).flatten()
    areas = torch.bincount(keys, minlength=images * slots).view(images, slots)
    stays = areas >= min_area
    stays[:, 0] = False  # slot 0 is the background
    numbers = stays.cumsum(1) * stays
    return numbers.view(-1)[keys].view(labels.shape)


def course_fill_holes(labels):
    """Label the background as well; a region without a border pixel takes the label above its first pixel."""
    background = labels == 0
    run_of_pixel, first_pixels, joined = _runs(background)
    roots = _smallest_in_component(len(first_pixels), *joined)
    on_border = background.clone()
    on_border[:, 1:-1, 1:-1] = False
    reaches_border = torch.zeros_like(roots, dtype=torch.bool)
    reaches_border[roots[run_of_pixel[on_border.flatten()] - 1]] = True
    above = labels.reshape(-1)[(first_pixels[roots] - labels.shape[2]).clamp_(min=0)]
    fill = above.masked_fill_(reaches_border[roots], 0)
    return labels + torch.cat([fill.new_zeros(1), fill])[run_of_pixel].view(labels.shape) * background


def course_instance_boxes(labels):
    """Reduce the positions of all foreground pixels by instance; the largest position is minus the smallest negative
    one."""
    image, row, column = labels.nonzero().unbind(1)
    per_image = labels.amax((1, 2))
    before = per_image.cumsum(0) - per_image
    instance = before[image] + labels[image, row, column] - 1
    images = torch.arange(len(labels), device=labels.device).repeat_interleave(per_image)
    sides = torch.stack([row, column, -row, -column], 1)
    extremes = sides.new_full((len(images), 4), max(labels.shape))
    extremes.scatter_reduce_(0, instance[:, None].expand(-1, 4), sides, "amin")
    top, left, bottom, right = extremes.unbind(1)
    return torch.stack([images, top, left, 1 - bottom, 1 - right], 1)


def course_encode_runs(labels):
    """Find the first and the last pixel of each run by comparing neighbors."""
    pixels = labels.flatten(1)
    changes = pixels[:, 1:] != pixels[:, :-1]
    starts, ends = pixels != 0, pixels != 0
    starts[:, 1:] &= changes
    ends[:, :-1] &= changes
    image, start = starts.nonzero().unbind(1)
    end = ends.nonzero()[:, 1]
    return torch.stack([image, pixels[image, start], start, end - start + 1], 1)


def course_decode_runs(runs, images, height, width):
    """Add each label at its start, subtract it after its end, and take running sums."""
    image, label, start, length = runs.unbind(1)
    first = image * height * width + start
    steps = torch.zeros(images * height * width + 1, dtype=runs.dtype, device=runs.device)
    steps.index_add_(0, first, label).index_add_(0, first + length, -label)
    return steps.cumsum(0)[:-1].view(images, height, width)


def course_segment_maps(maps, thresholds, sizes, min_area):
    """Run the stages one after the other."""
    labels = course_label_components(course_foreground(maps, thresholds, sizes))
    labels = course_fill_holes(course_drop_small(labels, min_area))
    return course_instance_boxes(labels), course_encode_runs(labels)
