# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Operations of random graphs that go through images with a window."""

import itertools

import numpy as np


def unfit():
    from random_graphs import Unfit

    raise Unfit()


def axis_of(graph, x):
    axis = graph.random.randrange(x.rank)
    return axis - x.rank if graph.chance(0.3) else axis


class Window:
    """Its extents, strides, gaps and the padding of the image, for each axis of the image."""

    def __init__(self, graph, image, most_padding=None):
        axes = len(image)
        self.size = [graph.random.choice([1, 2, 3]) for _ in range(axes)]
        self.strides = [graph.random.choice([1, 1, 2]) for _ in range(axes)]
        self.dilations = [graph.random.choice([1, 1, 2]) for _ in range(axes)]
        most = [min(size - 1, 2 if most_padding is None else most_padding) for size in self.size]
        self.begin, self.end = ([graph.random.randint(0, each) for each in most] for _ in range(2))
        self.result = [(extent + begin + end - (size - 1) * gap - 1) // stride + 1 for extent, begin, end, size, gap, stride in zip(
            image, self.begin, self.end, self.size, self.dilations, self.strides)]
        if min(self.result) < 1:
            unfit()

    @property
    def attributes(self):
        return {"kernel_shape": self.size, "strides": self.strides, "dilations": self.dilations, "pads": [*self.begin, *self.end]}

    def padded(self, x, value=0):
        return np.pad(x, [(0, 0), (0, 0), *zip(self.begin, self.end)], constant_values=value)

    def parts(self, x):
        """For each place in the window, what of the padded image it goes over."""
        for place in itertools.product(*(range(size) for size in self.size)):
            yield place, x[(slice(None), slice(None), *(slice(at * gap, at * gap + (count - 1) * stride + 1, stride) for at, gap, count, stride in zip(
                place, self.dilations, self.result, self.strides)))]


def image_of(graph):
    return graph.pick(least=3, most=5, fits=lambda value: value.exact.size > 0)


def convolution(graph):
    x = image_of(graph)
    channels, groups = x.shape[1], graph.random.choice([1, 1, 2, x.shape[1]])
    if channels % groups:
        unfit()
    window = Window(graph, x.shape[2:])
    filters = groups * graph.random.choice([1, 2, 4])
    w = graph.weight((filters, channels // groups, *window.size), x.dtype)
    bias = [graph.weight_or_value((filters,), x.dtype)] if graph.chance() else []

    def compute(a, w, *b):
        out = np.zeros((a.shape[0], filters, *window.result))
        each, inner = filters // groups, channels // groups
        for place, part in window.parts(window.padded(a)):
            for group in range(groups):
                out[:, group * each:(group + 1) * each] += np.einsum(
                    "nc...,mc->nm...", part[:, group * inner:(group + 1) * inner], w[(slice(group * each, (group + 1) * each), slice(None), *place)])
        return out + (b[0].reshape((1, -1) + (1,) * (a.ndim - 2)) if b else 0)

    return graph.add("Conv", [x, w, *bias], compute, group=groups, **window.attributes)


def transposed_convolution(graph):
    x = image_of(graph)
    channels, filters = x.shape[1], graph.random.choice([1, 2, 3])
    axes = x.rank - 2
    size, strides = ([graph.random.choice([1, 2, 3]) for _ in range(axes)] for _ in range(2))
    w = graph.weight((channels, filters, *size), x.dtype)

    def compute(a, w):
        image = a.shape[2:]
        out = np.zeros((a.shape[0], filters, *((extent - 1) * stride + each for extent, stride, each in zip(image, strides, size))))
        for place in itertools.product(*(range(each) for each in size)):
            where = tuple(slice(at, at + (extent - 1) * stride + 1, stride) for at, extent, stride in zip(place, image, strides))
            out[(slice(None), slice(None), *where)] += np.einsum("nc...,cm->nm...", a, w[(slice(None), slice(None), *place)])
        return out

    return graph.add("ConvTranspose", [x, w], compute, kernel_shape=size, strides=strides)


def largest(graph):
    x = image_of(graph)
    window = Window(graph, x.shape[2:])

    def compute(a):
        return np.max([part for _, part in window.parts(window.padded(a, -np.inf))], axis=0)

    if not np.isfinite(compute(x.exact)).all():
        unfit()
    return graph.add("MaxPool", [x], compute, **window.attributes)


def average(graph):
    x = image_of(graph)
    window = Window(graph, x.shape[2:])
    window.dilations = [1] * len(window.size)
    window.result = [(extent + begin + end - size) // stride + 1 for extent, begin, end, size, stride in zip(
        x.shape[2:], window.begin, window.end, window.size, window.strides)]
    counts = int(graph.chance())
    attributes = {key: value for key, value in window.attributes.items() if key != "dilations"}

    def compute(a):
        total = sum(part for _, part in window.parts(window.padded(a)))
        ones = sum(part for _, part in window.parts(window.padded(np.ones(a.shape), counts)))
        return total / ones

    return graph.add("AveragePool", [x], compute, count_include_pad=counts, **attributes)


def whole(graph):
    kind = graph.random.choice(["GlobalAveragePool", "GlobalMaxPool"])
    x = image_of(graph)
    reduce = np.mean if kind == "GlobalAveragePool" else np.max
    return graph.add(kind, [x], lambda a: reduce(a, axis=tuple(range(2, a.ndim)), keepdims=True))


WINDOWS = [convolution, convolution, transposed_convolution, largest, average, whole]
