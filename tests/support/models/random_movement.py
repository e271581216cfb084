# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Operations of random graphs that move elements and compute none."""

import numpy as np
from random_windows import axis_of, unfit

ANY = "fib"


def reshape(graph):
    x = graph.pick(ANY)
    extents = [extent for extent in x.shape if extent != 1]
    if graph.chance() and len(extents) > 1 and x.exact.size:
        at = graph.random.randrange(len(extents) - 1)
        extents[at:at + 2] = [extents[at] * extents[at + 1]]
    elif extents and x.exact.size:
        at = graph.random.randrange(len(extents))
        divisors = [each for each in range(1, extents[at] + 1) if extents[at] % each == 0]
        part = graph.random.choice(divisors)
        extents[at:at + 1] = [part, extents[at] // part]
    for _ in range(graph.random.randint(0, 2)):
        extents.insert(graph.random.randint(0, len(extents)), 1)
    if len(extents) > 5:
        unfit()
    told = list(extents)
    if told and x.exact.size and graph.chance(0.3):
        told[graph.random.randrange(len(told))] = -1
    # 0 stands for the extent of the operand otherwise.
    attributes = {"allowzero": 1} if 0 in told else {}
    return graph.add("Reshape", [x, graph.constant(np.array(told, np.int64))], lambda a, _: a.reshape(extents), **attributes)


def transpose(graph):
    x = graph.pick(ANY, least=2)
    order = graph.random.sample(range(x.rank), x.rank)
    return graph.add("Transpose", [x], lambda a: a.transpose(order), perm=order)


def concatenate(graph):
    x = graph.pick(ANY, least=1)
    axis = axis_of(graph, x)
    at = axis % x.rank

    def fits(value):
        return value.dtype == x.dtype and value.rank == x.rank and value.shape[:at] + value.shape[at + 1:] == x.shape[:at] + x.shape[at + 1:]

    parts = [graph.pick(ANY, fits=fits) if graph.chance() else graph.weight_or_value((*x.shape[:at], graph.extent(), *x.shape[at + 1:]), x.dtype)
             for _ in range(graph.random.randint(1, 3))]
    parts.insert(graph.random.randint(0, len(parts)), x)
    return graph.add("Concat", parts, lambda *arrays: np.concatenate(arrays, at), axis=axis)


def slices(graph):
    x = graph.pick(ANY, least=1)
    axes = sorted(graph.random.sample(range(x.rank), graph.random.randint(1, min(2, x.rank))))
    starts, ends, steps = [], [], []
    for axis in axes:
        extent = x.shape[axis]
        steps.append(graph.random.choice([1, 1, 2, 3, -1, -2]))
        first, last = graph.random.randint(0, extent), graph.random.randint(0, extent)
        if steps[-1] > 0:
            starts.append(min(first, last)), ends.append(max(first, last) if graph.chance() else 1 << 40)
        else:
            starts.append(max(first, last)), ends.append(-(1 << 40) if graph.chance() else min(first, last))
    where = [slice(None)] * x.rank
    for axis, start, end, step in zip(axes, starts, ends, steps):
        where[axis] = slice(start, None if end < 0 else end, step)
    if 0 in x.exact[tuple(where)].shape and not graph.has_empty:
        unfit()
    numbers = [graph.constant(np.array(each, np.int64)) for each in (starts, ends, axes, steps)]
    return graph.add("Slice", [x, *numbers], lambda a, *_: a[tuple(where)])


def split(graph):
    x = graph.pick(ANY, least=1, fits=lambda value: max(value.shape) > 1)
    axis = graph.random.choice([each for each in range(x.rank) if x.shape[each] > 1])
    at = graph.random.randint(1, x.shape[axis] - 1)
    sizes = graph.constant(np.array([at, x.shape[axis] - at], np.int64))
    return graph.add("Split", [x, sizes], lambda a, _: np.split(a, [at], axis), axis=axis)


def squeeze(graph):
    x = graph.pick(ANY, least=1, fits=lambda value: 1 in value.shape)
    axes = [axis for axis in range(x.rank) if x.shape[axis] == 1]
    axes = graph.random.sample(axes, graph.random.randint(1, len(axes)))
    return graph.add("Squeeze", [x, graph.constant(np.array(axes, np.int64))], lambda a, _: np.squeeze(a, tuple(axes)))


def unsqueeze(graph):
    x = graph.pick(ANY, most=4)
    axis = graph.random.randint(0, x.rank)
    return graph.add("Unsqueeze", [x, graph.constant(np.array([axis], np.int64))], lambda a, _: np.expand_dims(a, axis))


def expand(graph):
    x = graph.pick(ANY, fits=lambda value: 1 in value.shape or value.rank < 3)
    shape = [graph.extent() if extent == 1 and graph.chance() else extent for extent in x.shape]
    shape = [graph.random.choice([1, 2, 3]) for _ in range(graph.random.randint(0, 1))] + shape
    return graph.add("Expand", [x, graph.constant(np.array(shape, np.int64))], lambda a, _: np.broadcast_to(a, np.broadcast_shapes(a.shape, shape)).copy())


def tile(graph):
    x = graph.pick(ANY, least=1)
    times = [graph.random.choice([1, 1, 2, 3]) for _ in x.shape]
    return graph.add("Tile", [x, graph.constant(np.array(times, np.int64))], lambda a, _: np.tile(a, times))


def pad(graph):
    mode = graph.random.choice(["constant", "constant", "edge", "reflect"])
    x = graph.pick("fi" if mode == "constant" else "f", least=1, fits=lambda value: value.exact.size > 0)
    begin, end = ([graph.random.randint(0, min(2, extent - 1) if mode == "reflect" else 2) if graph.chance() else 0 for extent in x.shape] for _ in range(2))
    operands = [x, graph.constant(np.array([*begin, *end], np.int64))]
    if mode != "constant":
        return graph.add("Pad", operands, lambda a, _: np.pad(a, list(zip(begin, end)), mode=mode), mode=mode)
    value = graph.constant(np.array(graph.random.choice([0, 1, -2]), x.dtype))
    return graph.add("Pad", [*operands, value], lambda a, _, v: np.pad(a, list(zip(begin, end)), constant_values=v[()]), mode=mode)


def indices_for(graph, shape, extent):
    """Whole numbers of an axis, from its end, too."""
    return graph.constant(graph.numbers.integers(-extent, extent, shape).astype(graph.random.choice(["int32", "int64"])), "i")


def gather(graph):
    x = graph.pick(ANY, least=1, most=4)
    axis = axis_of(graph, x)
    if x.shape[axis] == 0:
        unfit()
    indices = indices_for(graph, graph.shape(graph.random.randint(0, 2)), x.shape[axis])
    return graph.add("Gather", [x, indices], lambda a, i: np.take(a, i, axis), axis=axis)


def gather_elements(graph):
    x = graph.pick(ANY, least=1, fits=lambda value: value.exact.size > 0)
    axis = graph.random.randrange(x.rank)
    shape = [graph.random.randint(1, 4) if at == axis else graph.random.randint(1, extent) for at, extent in enumerate(x.shape)]

    def compute(a, i):
        where = list(np.indices(shape))
        where[axis] = i
        return a[tuple(where)]

    return graph.add("GatherElements", [x, indices_for(graph, shape, x.shape[axis])], compute, axis=axis)


def gather_places(graph):
    x = graph.pick(ANY, least=1, most=4, fits=lambda value: value.exact.size > 0)
    axes = graph.random.randint(1, x.rank)
    places = np.stack([graph.numbers.integers(0, extent, 4) for extent in x.shape[:axes]], -1)
    return graph.add("GatherND", [x, graph.constant(places.astype(np.int64), "i")], lambda a, i: a[tuple(i[:, axis] for axis in range(axes))])


def flatten(graph):
    x = graph.pick(ANY, least=1)
    axis = graph.random.randint(0, x.rank)
    return graph.add("Flatten", [x], lambda a: a.reshape(int(np.prod(a.shape[:axis])), int(np.prod(a.shape[axis:]))), axis=axis)


def triangle(graph):
    x = graph.pick("fi", least=2)
    upper, diagonal = int(graph.chance()), graph.random.randint(-2, 2)
    return graph.add("Trilu", [x, graph.constant(np.array(diagonal, np.int64))], lambda a, _: (np.triu if upper else np.tril)(a, diagonal), upper=upper)


def blocks(graph):
    x = graph.pick("f", least=4, most=4, fits=lambda value: value.shape[1] % 4 == 0)
    n, c, h, w = x.shape

    def compute(a):
        return a.reshape(n, 2, 2, c // 4, h, w).transpose(0, 3, 4, 1, 5, 2).reshape(n, c // 4, 2 * h, 2 * w)

    return graph.add("DepthToSpace", [x], compute, blocksize=2)


def scatter(graph):
    x = graph.pick("f", least=1, most=3, fits=lambda value: value.exact.size > 0)
    count = min(3, x.shape[0])
    rows = np.array(graph.random.sample(range(x.shape[0]), count), np.int64).reshape(count, 1)
    updates = graph.weight_or_value((count, *x.shape[1:]), x.dtype)

    def compute(a, i, u):
        a = a.copy()
        a[i[:, 0]] = u
        return a

    return graph.add("ScatterND", [x, graph.constant(rows, "i"), updates], compute)


MOVEMENT = [reshape, reshape, transpose, transpose, concatenate, concatenate, slices, slices, split, squeeze, unsqueeze, expand, tile, pad, gather, gather_elements,
            gather_places, flatten, triangle, blocks, scatter]
