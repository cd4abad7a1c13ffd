"""Practice: the distances between neighbors in memory if the channels of a pixel are side by side."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def channels_last_strides_slow(images, channels, height, width):
    """Return the strides of the four axes (image, channel, row, column) in channels_last memory."""
    channel = 1
    column = 0
    for _ in range(channels):
        column += channel
    row = 0
    for _ in range(width):
        row += column
    image = 0
    for _ in range(height):
        image += row
    return image, channel, row, column


TASK = Task(
    id="channels_last_strides",
    title="Strides of channels_last",
    points=0,
    level=1,
    framework="none",
    slow=channels_last_strides_slow,
    inputs=lambda size, generator: tuple(integers(generator, 2, size + 9, 4).tolist()),
    edge_cases=(
        Case("as many channels as columns", lambda _: (2, 4, 3, 4)),
        Case("a single image", lambda _: (1, 3, 5, 7)),
        Case("images of one row", lambda _: (2, 3, 1, 7)),
        Case("images of one column", lambda _: (2, 3, 5, 1)),
        Case("large images", lambda _: (2, 64, 5000, 7000)),
        Case("very many channels, rows and columns", lambda _: (12_000, 110_000, 12_000, 13_000)),
        Case("images of one channel", lambda _: (3, 1, 5, 7)),
    ),
    worst="The strides are products of three numbers.",
    mistakes=(
        Mistake(
            "These are the strides of channels first: the channels of a pixel should be side by side.",
            lambda images, channels, height, width: (channels * height * width, height * width, width, 1),
        ),
        Mistake(
            "The strides are in the order of memory (image, row, column, channel): return them in the order of the "
            "axes (image, channel, row, column).",
            lambda images, channels, height, width: (channels * height * width, width * channels, channels, 1),
        ),
    ),
)
