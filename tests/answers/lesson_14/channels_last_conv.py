"""Answers to channels_last_conv."""

import torch

from answers import AnswersTo

answers = AnswersTo("channels_last_conv")


@answers.right("converted images")
def images_converted(model, x):
    return model(x.contiguous(memory_format=torch.channels_last))


@answers.wrong("converted images and weights", "correct", says="changed its input")
def both_converted(model, x):
    return model.to(memory_format=torch.channels_last)(x.to(memory_format=torch.channels_last))


@answers.right("permuted images")
def permuted(model, x):
    return model(x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2))


@answers.wrong("a converted result only", "correct", says="a convolution got images")
def result_converted(model, x):
    return model(x).contiguous(memory_format=torch.channels_last)


@answers.wrong("channels first", "correct", says="isn't in channels_last memory")
def channels_first(model, x):
    return model(x.contiguous()).contiguous()


@answers.wrong("axes in another order", "correct", says="shape")
def another_shape(model, x):
    return model(x.contiguous(memory_format=torch.channels_last)).permute(0, 2, 3, 1)


@answers.wrong("drops the last layer", "correct", says="isn't the model's output")
def without_the_last_layer(model, x):
    x = x.contiguous(memory_format=torch.channels_last)
    for layer in list(model)[:-1] or model:
        x = layer(x)
    return x


@answers.wrong("the first image for all images", "correct", says="isn't the model's output")
def first_image_only(model, x):
    first = model(x[:1].contiguous(memory_format=torch.channels_last))
    return first.expand(len(x), -1, -1, -1).contiguous(memory_format=torch.channels_last)


@answers.wrong("in bfloat16", "correct", says="values that differ")
def in_bfloat16(model, x):
    with torch.autocast("cpu", torch.bfloat16):
        return model(x.contiguous(memory_format=torch.channels_last)).to(x.dtype)


@answers.wrong("a list of the images", "correct", says="list")
def listed(model, x):
    return list(model(x.contiguous(memory_format=torch.channels_last)))


@answers.wrong("a loop over images", "unlooped", says="a loop still runs over it")
def image_by_image(model, x):
    images = [model(image.contiguous(memory_format=torch.channels_last)) for image in x.split(1)]
    return torch.cat(images).contiguous(memory_format=torch.channels_last)


@answers.wrong("converted around each layer", "unlooped", says="at most 12 are allowed")
def converted_around_each_layer(model, x):
    for layer in model:
        x = layer(x.contiguous(memory_format=torch.channels_last)).contiguous()
    return x.contiguous(memory_format=torch.channels_last)


@answers.wrong("NaN replaced by 0", "correct", says="an image of NaN")
def without_nan(model, x):
    return model(x.nan_to_num().contiguous(memory_format=torch.channels_last))


@answers.wrong("the children of the model, which name a repeated layer once", "correct", says="runs twice")
def children_only(model, x):
    for layer in model.children():
        x = layer(x.contiguous(memory_format=torch.channels_last))
    return x.contiguous(memory_format=torch.channels_last)


@answers.wrong("the model in training mode", "correct", says="in evaluation mode")
def in_training_mode(model, x):
    model.train()
    return images_converted(model, x)


@answers.wrong("converted unless the channels are next to each other", "correct", says="swapped rows and columns")
def by_the_stride_of_channels(model, x):
    return model(x if x.stride(1) == 1 else x.contiguous(memory_format=torch.channels_last))
