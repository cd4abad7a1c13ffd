"""Answers to foreground."""

import torch

from answers import AnswersTo
from course_utils.tasks.lesson_18_capstone.fast_stages import course_foreground

answers = AnswersTo("foreground")
answers.right("the course's stage")(course_foreground)


@answers.right("masked_fill of the padding")
def masked_afterward(maps, thresholds, sizes):
    _, height, width = maps.shape
    masks = maps >= thresholds.view(-1, 1, 1)
    below = torch.arange(height, device=maps.device) >= sizes[:, :1]
    behind = torch.arange(width, device=maps.device) >= sizes[:, 1:]
    return masks.masked_fill(below[:, :, None], False).masked_fill(behind[:, None, :], False)


@answers.wrong("a loop over images", "unlooped", says="a loop still runs over it")
def image_by_image(maps, thresholds, sizes):
    masks = torch.zeros_like(maps, dtype=torch.bool)
    for i, threshold in enumerate(thresholds):
        rows, columns = (torch.arange(n, device=maps.device) for n in maps.shape[1:])
        inside = (rows < sizes[i, 0])[:, None] & (columns < sizes[i, 1])
        masks[i] = (maps[i] >= threshold) & inside
    return masks


@answers.wrong("tolist() for the sizes", "unlooped")
def with_python_sizes(maps, thresholds, sizes):
    masks = maps >= thresholds[:, None, None]
    for i, (height, width) in enumerate(sizes.tolist()):
        masks[i, height:] = False
        masks[i, :, width:] = False
    return masks


answers.wrong("one threshold per column if the numbers match", "correct")(
    lambda maps, thresholds, sizes: (
        course_foreground(maps, thresholds, sizes)
        if len(maps) != maps.shape[2]
        else course_foreground(maps - thresholds, 0 * thresholds, sizes)
    )
)
answers.wrong("an integer mask", "correct", says="dtype")(lambda *inputs: course_foreground(*inputs).long())
answers.wrong("the sign of a difference plus 1e-9", "correct", says="threshold")(
    lambda maps, thresholds, sizes: course_foreground(maps - thresholds[:, None, None] + 1e-9, 0 * thresholds, sizes)
)


@answers.wrong("padding set to 0", "correct", says="thresholds that every pixel")
def padding_set_to_zero(maps, thresholds, sizes):
    inside = course_foreground(torch.zeros_like(maps), torch.zeros_like(thresholds), sizes)
    return torch.where(inside, maps, 0) >= thresholds[:, None, None]


@answers.wrong("uint8 sizes", "correct", says="2,049 pixels")
def sizes_of_8_bits(maps, thresholds, sizes):
    return course_foreground(maps, thresholds, sizes.to(torch.uint8))


@answers.wrong("int16 row indices", "correct", says="one column of 2,049 pixels")
def row_indices_of_16_bits(maps, thresholds, sizes):
    rows = torch.arange(maps.shape[1], device=maps.device).short()[:, None]
    return course_foreground(maps, thresholds, sizes) | ((rows < 0) & (maps >= thresholds[:, None, None]))


@answers.wrong("column indices in float16", "correct", says="one row of 2,049 pixels")
def column_indices_in_float16(maps, thresholds, sizes):
    columns = torch.arange(maps.shape[2], device=maps.device).half()
    return course_foreground(maps, thresholds, sizes) & (columns < sizes[:, 1, None, None])


@answers.wrong("a difference, which is NaN for equal infinities", "correct", says="thresholds that every pixel")
def difference_of_infinities(maps, thresholds, sizes):
    return course_foreground(maps - thresholds[:, None, None], 0 * thresholds.nan_to_num(), sizes)


@answers.wrong("NaN replaced by 0", "correct", says="maps with NaN")
def nan_set_to_zero(maps, thresholds, sizes):
    return course_foreground(torch.where(maps.isnan(), 0, maps), thresholds, sizes)


answers.wrong("NaN replaced by minus infinity", "correct", says="maps with NaN")(
    lambda maps, thresholds, sizes: course_foreground(torch.where(maps.isnan(), -torch.inf, maps), thresholds, sizes)
)

answers.wrong("not below a threshold of NaN", "correct", says="maps with NaN")(
    lambda maps, thresholds, sizes: course_foreground(
        maps, thresholds.nan_to_num(-torch.inf, torch.inf, -torch.inf), sizes
    )
)


@answers.wrong("a threshold of infinity for the padding", "correct", says="thresholds that every pixel")
def infinity_for_the_padding(maps, thresholds, sizes):
    inside = course_foreground(torch.zeros_like(maps), torch.zeros_like(thresholds), sizes)
    return maps >= torch.where(inside, thresholds[:, None, None], torch.inf)


@answers.wrong("at most 4,096 images", "correct", says="5,000 images")
def at_most_4096_images(maps, thresholds, sizes):
    masks = course_foreground(maps, thresholds, sizes)
    masks[4096:] = False
    return masks
