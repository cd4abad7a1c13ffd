"""Answers to stretch_each."""

import torch

from answers import AnswersTo

answers = AnswersTo("stretch_each")


def _limits(images):
    return images.amin((1, 2), keepdim=True), images.amax((1, 2), keepdim=True)


@answers.right("where on the span")
def by_where(images):
    low, high = _limits(images)
    return torch.where(high > low, (images - low) / (high - low), 0.0)


@answers.wrong("a span of at least the smallest normal number", "correct", says="a float16 image")
def by_the_least_number(images):
    low, high = _limits(images)
    return (images - low) / (high - low).clamp(min=torch.finfo(images.dtype).tiny)


@answers.right("flattened images")
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


@answers.wrong("limits without keepdim", "correct")
def shapes_that_do_not_fit(images):
    low, high = images.amin((1, 2)), images.amax((1, 2))
    return torch.where(high > low, (images - low) / (high - low), 0.0)


@answers.wrong("1 for a constant image", "correct")
def ones_for_a_constant_image(images):
    low, high = _limits(images)
    return torch.where(high > low, (images - low) / (high - low), 1.0)


@answers.wrong("a loop over images", "unlooped", says="the number grows with the input")
def image_by_image(images):
    result = torch.zeros_like(images)
    for k, image in enumerate(images):
        low, high = image.min(), image.max()
        result[k] = torch.where(high > low, (image - low) / (high - low), 0.0)
    return result


@answers.wrong("a Python branch on a tensor's value", "unlooped")
def waiting_for_a_value(images):
    low, high = _limits(images)
    if (high > low).all():
        return (images - low) / (high - low)
    return by_where(images)


@answers.wrong("a span of at least 1e-30", "correct", says="differ by 1e-35")
def by_a_tiny_least_span(images):
    low, high = _limits(images)
    return (images - low) / (high - low).clamp_min(1e-30)


answers.wrong("1 for a single pixel", "correct", says="a single image of one pixel")(
    lambda images: torch.ones_like(images) if images.numel() == 1 else by_where(images)
)


answers.wrong("a span of at least 1e-8", "correct", says="divided by more than its range")(
    lambda images: (images - (low := images.amin((1, 2), True))) / (images.amax((1, 2), True) - low).clamp(min=1e-8)
)


@answers.wrong("a loop over images with one operation each", "unlooped", says="grows with the input")
def limits_of_image_after_image(images):
    if not len(images):
        return images.clone()
    low, high = (torch.stack(each)[:, None, None] for each in zip(*[image.aminmax() for image in images]))
    return torch.where(high > low, (images - low) / (high - low), 0.0)


@answers.wrong("at most 1,000 images", "correct", says="4,100 images")
def of_1000_images(images):
    return torch.cat([by_where(images[:1000]), images[1000:]])


@answers.wrong("0 if the largest value is 0", "correct", says="begin at 0")
def by_the_largest(images):
    return torch.where(images.amax((1, 2), keepdim=True) != 0, by_where(images), 0)
