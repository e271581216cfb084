# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Random valid models, from a seed, with the outputs that NumPy computes in 64 bits.

    graph = RandomGraph(7)
    graph.save(folder)      # m.onnx, a file for each input in `in`, for each output in `wanted`

Every value is computed twice: exactly, and rounded to its type behind each operation. So the graph knows how much of the
difference between two right programs is rounding (`graph.tolerance`); operations whose results would jump with it, say
comparisons of equal numbers, are left out.
"""

import random

import numpy as np
import onnx_writer as onnx
import random_operations

TYPES = {"float32": 1, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11}
EXTENTS = (1, 1, 2, 2, 3, 4, 5, 7, 8, 16, 17, 33)
MOST_ELEMENTS = 4096
OPSET = 18


class Unfit(Exception):
    """An operation that is not taken: another one is tried."""


class Value:
    """A tensor of the graph."""

    def __init__(self, name, dtype, exact, rounded, is_constant=False):
        self.name, self.dtype, self.exact, self.rounded, self.is_constant = name, np.dtype(dtype), exact, rounded, is_constant
        self.is_used = False

    shape = property(lambda self: self.exact.shape)
    rank = property(lambda self: self.exact.ndim)
    is_real = property(lambda self: self.dtype.kind == "f")


def wide(array):
    """In the type that NumPy computes in."""
    return array.astype({"f": np.float64, "i": np.int64}.get(array.dtype.kind, array.dtype))


def distance(found, wanted):
    """Relative, in norm."""
    norm = np.linalg.norm(wanted.ravel())
    return float(np.linalg.norm((found - wanted).ravel()) / norm) if norm > 0 else float(np.abs(found).max(initial=0))


class RandomGraph:
    def __init__(self, seed, steps=12):
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        # One type of real numbers in most graphs, since operations want operands of one type.
        self.real = np.dtype(self.random.choice(["float32"] * 6 + ["float16", "float64"]))
        self.has_empty = self.random.random() < 0.15
        self.values, self.inputs, self.nodes, self.weights, self.outputs, self.error = [], [], [], [], [], 0.0
        for _ in range(self.random.randint(1, 3)):
            self.input()
        while len(self.nodes) < steps:
            self.step()
        self.choose_outputs()

    def step(self):
        for _ in range(1000):
            try:
                return self.random.choice(random_operations.ALL)(self)
            except Unfit:
                continue
        raise AssertionError("no operation fits")

    # What operations are made of.

    def chance(self, part=0.5):
        return self.random.random() < part

    def extent(self):
        return 0 if self.has_empty and self.chance(0.1) else self.random.choice(EXTENTS)

    def shape(self, rank):
        shape = tuple(self.extent() for _ in range(rank))
        return shape if np.prod(shape) <= MOST_ELEMENTS else self.shape(rank)

    def array(self, shape, dtype):
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return self.numbers.random(shape) < 0.5
        if dtype.kind == "i":
            return self.numbers.integers(-5, 9, shape).astype(dtype)
        # Sixteenths are the same in all types.
        return (np.round(self.numbers.standard_normal(shape) * 16) / 16).astype(dtype)

    def input(self, dtype=None, shape=None):
        dtype = dtype or self.random.choice([self.real] * 4 + [np.dtype("int32"), np.dtype("int64"), np.dtype("bool")])
        data = self.array(self.shape(self.random.choice([0, 1, 1, 2, 2, 3, 3, 4, 4, 5])) if shape is None else shape, dtype)
        value = Value(f"x{len(self.inputs)}", dtype, wide(data), data)
        self.inputs.append(value)
        self.values.append(value)
        return value

    def constant(self, data, name="c"):
        """Of the model: a weight, or what says how an operation works."""
        data = np.asarray(data)
        name = f"{name}{len(self.weights)}"
        self.weights.append(onnx.tensor(name, data.shape, dtype=TYPES[data.dtype.name], raw=np.ascontiguousarray(data).tobytes()))
        return Value(name, data.dtype, wide(data), data, is_constant=True)

    def weight(self, shape, dtype):
        return self.constant(self.array(shape, dtype), "w")

    def weight_or_value(self, shape, dtype):
        """A value of this shape where there is one, half of the time; else a weight or an input."""
        there = [each for each in self.values if each.shape == tuple(shape) and each.dtype == dtype]
        if there and self.chance():
            return self.random.choice(there)
        return self.weight(shape, dtype) if self.chance(0.8) else self.input(dtype, shape)

    def pick(self, kinds="f", least=0, most=5, fits=lambda value: True):
        """A value of such types and rank, newer ones rather than older ones."""
        there = [each for each in self.values if each.dtype.kind in kinds and least <= each.rank <= most and fits(each)]
        if not there:
            raise Unfit()
        return there[-1] if self.chance(0.3) else self.random.choice(there)

    def add_private(self, kind, operands, compute, **attributes):
        """The result of a node that only the one after it may use: it may have -inf, or numbers of any size."""
        exact, rounded = (compute(*arrays) for arrays in ([each.exact for each in operands], [wide(each.rounded) for each in operands]))
        dtype = next(each.dtype for each in operands if each.is_real)
        for value in operands:
            value.is_used = True
        result = Value(f"v{len(self.nodes)}_0", dtype, exact, rounded.astype(dtype))
        self.nodes.append(onnx.node(kind, [each.name for each in operands], [result.name], f"{kind.lower()}_{len(self.nodes)}", **attributes))
        return result

    def add(self, kind, operands, compute, dtype=None, jumps=False, **attributes):
        """The results of a node; `compute` takes arrays and returns one or several. `jumps`: small changes of operands change results by much."""
        exact, rounded = (compute(*arrays) for arrays in ([each.exact for each in operands], [wide(each.rounded) for each in operands]))
        is_one = not isinstance(exact, (list, tuple))
        exact, rounded = ([exact], [rounded]) if is_one else (exact, rounded)
        if jumps:
            self.require_steadiness(operands, compute, exact, is_one)
        kinds = dtype if isinstance(dtype, (list, tuple)) else [dtype or operands[0].dtype] * len(exact)
        results = [self.result(f"v{len(self.nodes)}_{number}", np.dtype(each), np.asarray(one), np.asarray(other))
                   for number, (each, one, other) in enumerate(zip(kinds, exact, rounded, strict=True))]
        for value in operands:
            value.is_used = True
        self.error = max([self.error, *(distance(wide(each.rounded), each.exact) for each in results if each.is_real)])
        self.nodes.append(onnx.node(kind, [each.name for each in operands], [each.name for each in results], f"{kind.lower()}_{len(self.nodes)}", **attributes))
        self.values.extend(results)
        return results[0] if is_one else results

    def result(self, name, dtype, exact, rounded):
        if exact.size > MOST_ELEMENTS:
            raise Unfit()
        if dtype.kind != "f":
            if not np.array_equal(exact, rounded) or (dtype.kind == "i" and np.abs(exact).max(initial=0) > 1 << 20):
                raise Unfit()
            return Value(name, dtype, wide(exact.astype(dtype)), exact.astype(dtype))
        with np.errstate(over="ignore"):
            narrow = rounded.astype(dtype)
        # Neither values nor their errors grow without bounds.
        if not np.isfinite(exact).all() or np.abs(exact).max(initial=0) > 1e3 or distance(wide(narrow), exact) > 64 * np.finfo(dtype).eps:
            raise Unfit()
        return Value(name, dtype, exact.astype(np.float64), narrow)

    def require_steadiness(self, operands, compute, exact, is_one):
        for sign in (-1, 1):
            moved = [each.exact + sign * 1e-2 * (1 + np.abs(each.exact)) * self.numbers.choice([-1.0, 1.0], each.shape)
                     if each.is_real and not each.is_constant else each.exact for each in operands]
            others = compute(*moved)
            for one, other in zip(exact, [others] if is_one else others):
                if not np.array_equal(one, other):
                    raise Unfit()

    # What becomes of it.

    def choose_outputs(self):
        made = [value for value in self.values if value not in self.inputs]
        self.outputs = [value for value in made if not value.is_used or self.chance(0.1)]

    @property
    def tolerance(self):
        """Relative in norm, between two programs that are right."""
        return max(1e-4, 8 * self.error)

    def save(self, folder):
        for name, values in (("in", self.inputs), ("wanted", self.outputs)):
            (folder / name).mkdir()
            for value in values:
                np.save(folder / name / f"{value.name}.npy", np.asarray(value.rounded if name == "in" else value.exact.astype(value.dtype), order="C"))
        (folder / "m.onnx").write_bytes(onnx.model(
            self.nodes, [onnx.tensor_type(each.name, each.shape, TYPES[each.dtype.name]) for each in self.inputs],
            [onnx.tensor_type(each.name, each.shape, TYPES[each.dtype.name]) for each in self.outputs], self.weights, opset=OPSET))
