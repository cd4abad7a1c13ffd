"""Answers to stretch_each."""

import torch

from answers import AnswersTo

answers = AnswersTo("stretch_each")


def _limits(images):
    return images.amin((1, 2), keepdim=True), images.amax((1, 2), keepdim=True)


@answers.right("where, over the span")
def by_where(images):
    low, high = _limits(images)
    return torch.where(high > low, (images - low) / (high - low), 0.0)


@answers.right("the span held above 0")
def by_the_least_number(images):
    low, high = _limits(images)
    return (images - low) / (high - low).clamp(min=torch.finfo(images.dtype).tiny)


@answers.right("rows of pixels")
def flattened(images):
    pixels = images.flatten(1)
    low, high = pixels.min(1).values[:, None, None], pixels.max(1).values[:, None, None]
    span = high - low
    return (images - low) / torch.where(span == 0, torch.ones_like(span), span)


@answers.right()
def vmap_over_images(images):
    def stretched(image):
        low, high = image.amin(), image.amax()
        return torch.where(high > low, (image - low) / (high - low), 0.0)

    return torch.vmap(stretched)(images) if len(images) else images.clone()


@answers.right()
def nan_to_zero(images):
    low, high = _limits(images)
    return ((images - low) / (high - low)).nan_to_num(0.0)


@answers.wrong("all images together", "correct", says="each has its own")
def over_the_batch(images):
    low, high = images.min() if images.numel() else 0, images.max() if images.numel() else 1
    return torch.where(torch.as_tensor(high > low), (images - low) / (high - low), torch.zeros_like(images))


@answers.wrong(line="correct", says="those of each row")
def rows_on_their_own(images):
    low, high = images.amin(2, keepdim=True), images.amax(2, keepdim=True)
    return torch.where(high > low, (images - low) / (high - low), 0.0)


@answers.wrong(line="correct", says="0 / 0")
def one_value_becomes_nan(images):
    low, high = _limits(images)
    return (images - low) / (high - low)


@answers.wrong("1e-8 added", "correct", says="a small number is added")
def a_small_number_added(images):
    low, high = _limits(images)
    return (images - low) / (high - low + 1e-8)


@answers.wrong(line="correct", says="divide by largest - smallest")
def divided_by_the_largest(images):
    low, high = _limits(images)
    return (images - low) / high


@answers.wrong(line="correct", says="does not become 1")
def not_divided(images):
    return images - _limits(images)[0]


@answers.wrong("limits without keepdim", "correct")
def shapes_that_do_not_fit(images):
    low, high = images.amin((1, 2)), images.amax((1, 2))
    return torch.where(high > low, (images - low) / (high - low), 0.0)


@answers.wrong("one value becomes 1", "correct")
def ones_where_all_is_the_same(images):
    low, high = _limits(images)
    return torch.where(high > low, (images - low) / (high - low), 1.0)


@answers.wrong(line="correct", says="input")
def images_changed(images):
    low, high = _limits(images)
    span = high - low
    return images.sub_(low).div_(torch.where(span == 0, 1.0, span)).clone()


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(images):
    return by_where(images).float()


@answers.wrong("a loop over images", "unlooped", says="the number grows with the input")
def image_by_image(images):
    result = torch.zeros_like(images)
    for k, image in enumerate(images):
        low, high = image.min(), image.max()
        result[k] = torch.where(high > low, (image - low) / (high - low), 0.0)
    return result


@answers.wrong("only where there is one image of one value", "unlooped")
def waiting_for_a_value(images):
    low, high = _limits(images)
    if (high > low).all():
        return (images - low) / (high - low)
    return by_where(images)
