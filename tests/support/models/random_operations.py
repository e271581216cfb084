# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""The operations of random graphs: each takes operands that fit, and adds a node with what NumPy makes of them."""

import math

import numpy as np
import random_windows
from random_windows import axis_of, unfit

erf = np.vectorize(math.erf, otypes=[np.float64])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.logaddexp(0, x)


SMOOTH = {
    "Relu": lambda x: np.maximum(x, 0), "Sigmoid": sigmoid, "Tanh": np.tanh, "Exp": np.exp, "Neg": np.negative, "Abs": np.abs, "Erf": erf,
    "Softplus": softplus, "Sin": np.sin, "Cos": np.cos, "Softsign": lambda x: x / (1 + np.abs(x)), "Identity": lambda x: x,
    "HardSwish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1), "Mish": lambda x: x * np.tanh(softplus(x)),
    "LeakyRelu": lambda x: np.where(x < 0, 0.01 * x, x), "Elu": lambda x: np.where(x < 0, np.expm1(np.minimum(x, 0)), x),
    "HardSigmoid": lambda x: np.clip(0.2 * x + 0.5, 0, 1), "Selu": lambda x: 1.0507009873554805 * np.where(x < 0, 1.6732632423543772 * np.expm1(np.minimum(x, 0)), x),
}
OF_POSITIVE = {"Sqrt": np.sqrt, "Log": np.log, "Reciprocal": np.reciprocal}
JUMPING = {"Floor": np.floor, "Ceil": np.ceil, "Round": np.rint, "Sign": np.sign}
COMPARISONS = {"Less": np.less, "Greater": np.greater, "Equal": np.equal, "LessOrEqual": np.less_equal, "GreaterOrEqual": np.greater_equal}
REDUCTIONS = {
    "ReduceSum": np.sum, "ReduceMean": np.mean, "ReduceMax": np.max, "ReduceMin": np.min, "ReduceProd": np.prod,
    "ReduceL1": lambda x, **how: np.abs(x).sum(**how), "ReduceL2": lambda x, **how: np.sqrt(np.square(x).sum(**how)),
    "ReduceSumSquare": lambda x, **how: np.square(x).sum(**how), "ReduceLogSumExp": lambda x, **how: np.log(np.exp(x).sum(**how)),
}


def unary(graph):
    kind = graph.random.choice(list(SMOOTH))
    return graph.add(kind, [graph.pick()], SMOOTH[kind])


def unary_of_positive(graph):
    kind = graph.random.choice(list(OF_POSITIVE))
    x = graph.pick(fits=lambda value: value.exact.min(initial=1) > 0.05)
    return graph.add(kind, [x], OF_POSITIVE[kind])


def jumping(graph):
    kind = graph.random.choice(list(JUMPING))
    return graph.add(kind, [graph.pick()], JUMPING[kind], jumps=True)


def clip(graph):
    least, most = sorted(graph.random.choice([-1.5, -0.5, 0.25, 1.0]) for _ in range(2))
    x = graph.pick()
    return graph.add("Clip", [x, graph.constant(np.array(least, x.dtype)), graph.constant(np.array(most, x.dtype))], np.clip)


def partner(graph, x):
    """Of another operand: a value that can be repeated, a weight with some axes of 1, or one of the same shape."""
    def fits(value):
        try:
            np.broadcast_shapes(x.shape, value.shape)
        except ValueError:
            return False
        return value.dtype == x.dtype

    if graph.chance(0.6):
        return graph.pick(x.dtype.kind, fits=fits)
    shape = tuple(extent if graph.chance(0.6) else 1 for extent in x.shape)[graph.random.randint(0, x.rank):]
    return graph.weight_or_value(shape, x.dtype)


def swapped(graph, *operands):
    return operands[::-1] if graph.chance(0.3) else operands


def arithmetic(graph):
    kind = graph.random.choice(["Add", "Sub", "Mul", "Min", "Max", "Add", "Mul"])
    x = graph.pick("fi")
    compute = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Min": np.minimum, "Max": np.maximum}[kind]
    return graph.add(kind, swapped(graph, x, partner(graph, x)), compute)


def divide(graph):
    x = graph.pick("fi")
    y = partner(graph, x)
    if np.abs(y.exact).min(initial=1) < 0.2:
        unfit()
    return graph.add("Div", [x, y], lambda a, b: a / b if a.dtype.kind == "f" else np.trunc(a / b).astype(np.int64))


def modulo(graph):
    x = graph.pick("i")
    y = partner(graph, x)
    if not y.exact.all():
        unfit()
    return graph.add("Mod", [x, y], np.mod)


def power(graph):
    x = graph.pick(fits=lambda value: value.exact.min(initial=1) > 0.05)
    exponent = graph.random.choice([2.0, 0.5, 3.0, -1.0])
    return graph.add("Pow", [x, graph.constant(np.array(exponent, x.dtype))], np.power)


def square(graph):
    x = graph.pick()
    return graph.add("Pow", [x, graph.constant(np.array(2.0, x.dtype))], np.power)


def compare(graph):
    kind = graph.random.choice(list(COMPARISONS))
    x = graph.pick("fi")
    return graph.add(kind, swapped(graph, x, partner(graph, x)), COMPARISONS[kind], dtype="bool", jumps=True)


def logic(graph):
    kind = graph.random.choice(["And", "Or", "Xor"])
    x = graph.pick("b")
    return graph.add(kind, [x, partner(graph, x)], {"And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor}[kind])


def negate(graph):
    return graph.add("Not", [graph.pick("b")], np.logical_not)


def where(graph):
    x = graph.pick("fi")
    y = partner(graph, x)

    def fits(value):
        try:
            np.broadcast_shapes(x.shape, y.shape, value.shape)
        except ValueError:
            return False
        return True

    return graph.add("Where", [graph.pick("b", fits=fits), *swapped(graph, x, y)], np.where, dtype=x.dtype)


def cast(graph):
    x = graph.pick("fib")
    # Widths narrower than the graph's would lose digits that the tolerance does not know of.
    to = np.dtype(graph.random.choice([graph.real.name, "int32", "int64", "float32"]))
    if to.itemsize < x.dtype.itemsize and to.kind == "f" and x.is_real:
        unfit()
    number = {"float32": 1, "int32": 6, "int64": 7, "float16": 10, "float64": 11}[to.name]
    if to.kind == "i" and x.is_real:
        return graph.add("Cast", [x], lambda a: np.trunc(a).astype(np.int64), dtype=to, jumps=True, to=number)
    return graph.add("Cast", [x], lambda a: a.astype(np.float64 if to.kind == "f" else np.int64), dtype=to, to=number)


def some_axes(graph, x):
    axes = sorted(graph.random.sample(range(x.rank), graph.random.randint(1, x.rank)))
    return [axis - x.rank if graph.chance(0.3) else axis for axis in axes]


def reduce(graph):
    kind = graph.random.choice(list(REDUCTIONS))
    x = graph.pick("fi" if kind in ("ReduceSum", "ReduceMax", "ReduceMin") else "f", least=1)
    axes, keeps = some_axes(graph, x), int(graph.chance())
    if kind != "ReduceSum" and any(x.shape[axis] == 0 for axis in axes):
        unfit()
    if kind == "ReduceProd" and np.prod([x.shape[axis] for axis in axes]) > 8:
        unfit()
    operands = [x, graph.constant(np.array(axes, np.int64))]
    compute = REDUCTIONS[kind]
    # Everything, where no axes are given.
    if graph.chance(0.1) and x.exact.size > 0:
        operands, axes = [x], range(x.rank)
    return graph.add(kind, operands, lambda a, *_: compute(a, axis=tuple(axes), keepdims=bool(keeps)), keepdims=keeps)


def arg_extremum(graph):
    kind = graph.random.choice(["ArgMax", "ArgMin"])
    x = graph.pick("fi", least=1)
    axis, keeps = axis_of(graph, x), int(graph.chance())
    if x.shape[axis] == 0:
        unfit()
    find = np.argmax if kind == "ArgMax" else np.argmin
    return graph.add(kind, [x], lambda a: find(a, axis=axis, keepdims=bool(keeps)), dtype="int64", jumps=True, axis=axis, keepdims=keeps)


def top(graph):
    x = graph.pick("f", least=1)
    axis = axis_of(graph, x)
    if x.shape[axis] == 0:
        unfit()
    count, largest = graph.random.randint(1, min(4, x.shape[axis])), int(graph.chance())

    def places(a):
        return np.take(np.argsort(-a if largest else a, axis=axis, kind="stable"), range(count), axis)

    indices = graph.add("TopK", [x, graph.constant(np.array([count], np.int64))],
                        lambda a, _: (np.take_along_axis(a, places(a), axis), places(a)), dtype=[x.dtype, "int64"], axis=axis, largest=largest)
    return indices


def softmax(graph):
    kind = graph.random.choice(["Softmax", "LogSoftmax", "Softmax"])
    x = graph.pick(least=1)
    axis = axis_of(graph, x)
    if x.shape[axis] == 0:
        unfit()

    def compute(a):
        logs = a - np.log(np.exp(a - a.max(axis, keepdims=True)).sum(axis, keepdims=True)) - a.max(axis, keepdims=True)
        return logs if kind == "LogSoftmax" else np.exp(logs)

    return graph.add(kind, [x], compute, axis=axis)


def layer_norm(graph):
    x = graph.pick(least=1, fits=lambda value: value.exact.size > 0)
    axis = graph.random.randrange(x.rank)
    if np.prod(x.shape[axis:]) < 2:
        unfit()
    scale = graph.weight_or_value(x.shape[axis:], x.dtype)
    bias = [graph.weight_or_value(x.shape[axis:], x.dtype)] if graph.chance(0.7) else []
    axes = tuple(range(axis, x.rank))

    def compute(a, s, *b):
        centered = a - a.mean(axes, keepdims=True)
        return centered / np.sqrt(np.square(centered).mean(axes, keepdims=True) + 1e-2) * s + (b[0] if b else 0)

    return graph.add("LayerNormalization", [x, scale, *bias], compute, axis=axis, epsilon=1e-2)


def channel_norm(graph):
    """Of one channel over the batch's statistics in the file, or over the channel's own."""
    kind = graph.random.choice(["BatchNormalization", "InstanceNormalization"])
    x = graph.pick(least=2 if kind[0] == "B" else 3, most=4, fits=lambda value: value.exact.size > 0)
    channels = x.shape[1]
    column = (-1,) + (1,) * (x.rank - 2)
    scale, bias = (graph.weight((channels,), x.dtype) for _ in range(2))
    if kind == "BatchNormalization":
        mean = graph.weight((channels,), x.dtype)
        variance = graph.constant(np.abs(graph.array((channels,), x.dtype)) + np.array(0.5, x.dtype), "w")
        return graph.add(kind, [x, scale, bias, mean, variance], lambda a, s, b, m, v: (a - m.reshape(column)) / np.sqrt(
            v.reshape(column) + 1e-2) * s.reshape(column) + b.reshape(column), epsilon=1e-2)
    axes = tuple(range(2, x.rank))
    if np.prod(x.shape[2:]) < 2:
        unfit()
    return graph.add(kind, [x, scale, bias], lambda a, s, b: (a - a.mean(axes, keepdims=True)) / np.sqrt(
        a.var(axes, keepdims=True) + 1e-2) * s.reshape(column) + b.reshape(column), epsilon=1e-2)


def cumulative(graph):
    x = graph.pick("f", least=1)
    axis, exclusive, reverse = axis_of(graph, x), int(graph.chance(0.3)), int(graph.chance(0.3))

    def compute(a, _):
        a = np.flip(a, axis) if reverse else a
        sums = np.cumsum(a, axis) - (a if exclusive else 0)
        return np.flip(sums, axis) if reverse else sums

    return graph.add("CumSum", [x, graph.constant(np.array(axis, np.int64))], compute, exclusive=exclusive, reverse=reverse)


def matmul(graph):
    x = graph.pick(least=1, most=4)
    inner = x.shape[-1]
    columns = graph.extent()
    batch = tuple(extent if graph.chance() else 1 for extent in x.shape[:-2])[graph.random.randint(0, max(x.rank - 2, 0)):]
    shape = (inner,) if graph.chance(0.1) else (*batch, inner, columns) if graph.chance(0.4) else (inner, columns)
    return graph.add("MatMul", [x, graph.weight_or_value(shape, x.dtype)], np.matmul)


def products_of_values(graph):
    """x · xᵀ, as attention has it."""
    x = graph.pick(least=2, most=4)
    order = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
    turned = graph.add("Transpose", [x], lambda a: a.transpose(order), perm=order)
    return graph.add("MatMul", [x, turned] if graph.chance() else [turned, x], np.matmul)


def repeated_for_heads(graph, shape, dtype):
    """A factor that is the same for all that the axis before its matrices counts."""
    one = graph.weight_or_value((*shape[:-3], 1, *shape[-2:]), dtype)
    return graph.add("Expand", [one, graph.constant(np.array(shape, np.int64))], lambda a, to: np.broadcast_to(a, to.astype(int)), dtype=dtype)


def masked(graph, scores):
    """Something added to the scores, a number in the place of some, or as they are. The first key is seen by all."""
    rows, columns = scores.shape[-2:]
    how = graph.random.choice(["added", "causal", "selected", "as they are"])
    if how == "added":
        shape = graph.random.choice([(rows, columns), (1, columns), (rows, 1), (*scores.shape[:-2], 1, columns)])
        return graph.add("Add", swapped(graph, scores, graph.weight_or_value(shape, scores.dtype)), np.add)
    if how == "causal":
        mask = np.where(np.tri(rows, columns, graph.random.choice([0, 0, 1, 3]), dtype=bool), 0, -np.inf).astype(scores.dtype)
        return graph.add_private("Add", [scores, graph.constant(mask)], np.add)
    if how == "selected":
        seen = graph.array((rows, columns) if graph.chance() else (1, columns), bool)
        seen[..., 0] = True
        number = graph.constant(np.array(graph.random.choice([-np.inf, -1e4, -30.0]), scores.dtype))
        if graph.chance():
            return graph.add_private("Where", [graph.constant(seen), scores, number], np.where)
        return graph.add_private("Where", [graph.constant(~seen), number, scores], np.where)
    return scores


def attention(graph):
    """softmax(mask(q · kᵀ · scale)) · v"""
    q = graph.pick(least=2, most=4, fits=lambda value: value.exact.size > 0)
    k, v = (repeated_for_heads(graph, q.shape, q.dtype) if q.rank > 2 and graph.chance(0.3) else graph.weight_or_value(q.shape, q.dtype) for _ in range(2))
    order = [*range(q.rank - 2), q.rank - 1, q.rank - 2]
    turned = graph.add("Transpose", [k], lambda a: a.transpose(order), perm=order)
    scores = graph.add("MatMul", [q, turned], np.matmul)
    scaled = masked(graph, graph.add("Mul", [scores, graph.constant(np.array(0.25, q.dtype))], np.multiply))
    rows = graph.add("Softmax", [scaled], lambda a: np.exp(a - a.max(-1, keepdims=True)) / np.exp(a - a.max(-1, keepdims=True)).sum(-1, keepdims=True), axis=-1)
    return graph.add("MatMul", [rows, v], np.matmul)


def gemm(graph):
    x = graph.pick(least=2, most=2)
    turns, columns = [int(graph.chance()) for _ in range(2)], graph.extent()
    rows, inner = x.shape[::-1] if turns[0] else x.shape
    b = graph.weight_or_value((columns, inner) if turns[1] else (inner, columns), x.dtype)
    c = [graph.weight_or_value(graph.random.choice([(columns,), (1, columns), (rows, 1), (rows, columns), ()]), x.dtype)] if graph.chance(0.7) else []
    alpha, beta = graph.random.choice([1.0, 0.5]), graph.random.choice([1.0, -0.5])

    def compute(a, b, *c):
        return alpha * (a.T if turns[0] else a) @ (b.T if turns[1] else b) + (beta * c[0] if c else 0)

    return graph.add("Gemm", [x, b, *c], compute, transA=turns[0], transB=turns[1], alpha=alpha, beta=beta)


def einsum(graph):
    equation = graph.random.choice(["ij,jk->ik", "bij,bkj->bik", "bij,jk->bik", "bhid,bhjd->bhij", "ij->ji", "bij->bj"])
    operands, _ = equation.split("->")
    first, *others = operands.split(",")
    x = graph.pick(least=len(first), most=len(first))
    extents = dict(zip(first, x.shape))
    all_operands = [x] + [graph.weight_or_value(tuple(extents.setdefault(letter, graph.extent()) for letter in other), x.dtype) for other in others]
    return graph.add("Einsum", all_operands, lambda *arrays: np.einsum(equation, *arrays), equation=equation)


from random_movement import MOVEMENT  # noqa: E402

ALL = [unary, unary, unary, unary_of_positive, jumping, clip, arithmetic, arithmetic, arithmetic, divide, modulo, power, square, compare, logic, negate, where,
       cast, reduce, reduce, arg_extremum, top, softmax, layer_norm, channel_norm, cumulative, matmul, matmul, products_of_values, attention, gemm, einsum,
       *random_windows.WINDOWS, *MOVEMENT]
