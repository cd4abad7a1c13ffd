"""The slow loop of each stage, as the cards and lesson 18 show it."""

import torch


def foreground_slow(maps, thresholds, sizes):
    """Return True for foreground pixels: inside their image's height and width, and at or above its threshold."""
    masks = torch.zeros(maps.shape, dtype=torch.bool, device=maps.device)
    for i in range(len(maps)):
        height, width = sizes[i].tolist()
        for y in range(height):
            for x in range(width):
                if maps[i, y, x] >= thresholds[i]:
                    masks[i, y, x] = True
    return masks


def label_components_slow(masks):
    """Return each mask's connected components, numbered from 1 by their first pixels; background is 0."""
    images, height, width = masks.shape
    labels = torch.zeros(masks.shape, dtype=torch.int64, device=masks.device)
    for i in range(images):
        count = 0
        for y in range(height):
            for x in range(width):
                if masks[i, y, x] and labels[i, y, x] == 0:
                    count += 1
                    labels[i, y, x] = count
                    stack = [(y, x)]
                    while stack:
                        v, u = stack.pop()
                        for b, a in ((v - 1, u), (v + 1, u), (v, u - 1), (v, u + 1)):
                            if 0 <= b < height and 0 <= a < width and masks[i, b, a] and labels[i, b, a] == 0:
                                labels[i, b, a] = count
                                stack.append((b, a))
    return labels


def drop_small_slow(labels, min_area):
    """Return the instances with at least min_area pixels, renumbered from 1 in the same order; all else is 0."""
    result = torch.zeros_like(labels)
    for i in range(len(labels)):
        count = 0
        for k in range(1, int(labels[i].max()) + 1):
            instance = labels[i] == k
            if instance.sum() >= min_area:
                count += 1
                result[i][instance] = count
    return result


def fill_holes_slow(labels):
    """Return the labels with their holes filled: background regions that don't reach the border of their image.

    A hole gets the label of the pixel above its first pixel.
    """
    result = labels.clone()
    height, width = labels.shape[1:]
    for i in range(len(labels)):
        grid = labels[i].tolist()
        seen = [[label != 0 for label in row] for row in grid]
        for y in range(height):
            for x in range(width):
                if not seen[y][x]:
                    seen[y][x] = True
                    region = [(y, x)]
                    for v, u in region:  # the list grows while the loop runs
                        for b, a in ((v - 1, u), (v + 1, u), (v, u - 1), (v, u + 1)):
                            if 0 <= b < height and 0 <= a < width and not seen[b][a]:
                                seen[b][a] = True
                                region.append((b, a))
                    if all(0 < v < height - 1 and 0 < u < width - 1 for v, u in region):
                        for v, u in region:
                            result[i, v, u] = grid[y - 1][x]
    return result


def instance_boxes_slow(labels):
    """Return a row per instance: image, top, left, bottom, right; bottom and right are one past the last pixel."""
    boxes = []
    for i in range(len(labels)):
        for k in range(1, int(labels[i].max()) + 1):
            rows, columns = torch.where(labels[i] == k)
            boxes.append([i, int(rows.min()), int(columns.min()), int(rows.max()) + 1, int(columns.max()) + 1])
    return torch.tensor(boxes, dtype=torch.int64, device=labels.device).reshape(-1, 5)


def encode_runs_slow(labels):
    """Return a row per run of equal labels other than 0: image, label, position of its first pixel, length."""
    runs: list[list[int]] = []
    for i in range(len(labels)):
        previous = 0
        for position, label in enumerate(labels[i].flatten()):
            if label != 0 and label == previous:
                runs[-1][3] += 1
            elif label != 0:
                runs.append([i, int(label), position, 1])
            previous = label
    return torch.tensor(runs, dtype=torch.int64, device=labels.device).reshape(-1, 4)


def decode_runs_slow(runs, images, height, width):
    """Return the labels that the runs encode, of shape (images, height, width)."""
    labels = torch.zeros(images, height * width, dtype=torch.int64, device=runs.device)
    for image, label, start, length in runs.tolist():
        for position in range(start, start + length):
            labels[image, position] = label
    return labels.reshape(images, height, width)


def segment_maps_slow(maps, thresholds, sizes, min_area):
    """Return the boxes and the runs of all instances in a batch of probability maps."""
    masks = foreground_slow(maps, thresholds, sizes)
    labels = label_components_slow(masks)
    labels = drop_small_slow(labels, min_area)
    labels = fill_holes_slow(labels)
    return instance_boxes_slow(labels), encode_runs_slow(labels)
