# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Random expressions over arrays that mean the same in NumPy and in a launch block's `expected`."""

import random

import numpy as np

SHAPES = {
    "x": (12,), "y": (12,), "i": (12,), "k": (12,),
    "a": (5, 12), "b": (5, 12), "j": (5, 12), "u": (5, 1),
    "p": (12, 7), "t": (3, 5, 12),
}  # fmt: skip
INTEGERS = ("i", "j", "k")

FLOAT_FUNCTIONS = ("exp", "sqrt", "abs", "floor", "ceil", "sin", "cos", "tanh", "sign", "square", "trunc", "rint", "log1p", "np.exp2", "np.sqrt")
INTEGER_FUNCTIONS = ("abs", "sign", "square")
REDUCTIONS = ("sum", "mean", "max", "min", "prod", "std", "var", "argmax", "argmin")


def make_inputs(seed):
    """Arrays by name: floats in fp32, small integers of both signs in int32, `k` from 0 to 11."""
    generator = np.random.default_rng(seed)
    arrays = {}
    for name, shape in SHAPES.items():
        if name == "k":
            arrays[name] = generator.integers(0, 12, shape).astype(np.int32)
        elif name in INTEGERS:
            arrays[name] = generator.integers(-9, 10, shape).astype(np.int32)
        else:
            arrays[name] = generator.standard_normal(shape).astype(np.float32)
    return arrays


class RandomExpression:
    """`text` is Python. Evaluated in NumPy as the expression grows, so that its kind and shape are known:
    what NumPy refuses is thrown away and drawn again."""

    def __init__(self, seed, names):
        self.random = random.Random(seed)
        self.names = names
        depth = self.random.randint(2, 4)
        self.text, self.value = self._grow(depth)
        while not self.value.size:
            self.text, self.value = self._grow(depth)

    def _evaluate(self, text):
        with np.errstate(all="ignore"):
            return eval(text, dict(self.names))  # noqa: S307

    def _grow(self, depth):
        for _ in range(40):
            text = self._text(depth)
            try:
                value = np.asarray(self._evaluate(text))
            except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError):
                continue
            # Few parts without elements: nothing but more of them grows from most.
            if value.ndim <= 3 and (value.size or self.random.random() < 0.2) and value.dtype.kind in "bif":
                return text, value
        return "x", np.asarray(self.names["x"])

    def _leaf(self):
        return self.random.choice([*SHAPES, *SHAPES, "2", "0.5", "-3", "n", "True"])

    def _text(self, depth):
        if depth == 0:
            return self._leaf()
        left, value = self._grow(depth - 1)
        return getattr(self, "_" + self.random.choice(KINDS))(left, value, depth)

    def _arithmetic(self, left, value, depth):
        right, divisor = self._grow(self.random.randint(0, depth - 1))
        operation = self.random.choice(["+", "-", "*", "/", "+", "-", "*", "//", "%"])
        # What an integer divided by 0 is, machines do not agree on.
        if operation in ("/", "//", "%") and divisor.dtype.kind != "f":
            right = f"(abs({right}) + 1)"
        return f"({left} {operation} {right})"

    def _power(self, left, value, depth):
        return f"({left}) ** {self.random.choice(['2', '3', '0.5', '-1', '-2', '0'])}"

    def _comparison(self, left, value, depth):
        right, _ = self._grow(self.random.randint(0, depth - 1))
        return f"({left} {self.random.choice(['<', '<=', '>', '>=', '==', '!='])} {right})"

    def _bits(self, left, value, depth):
        right, _ = self._grow(self.random.randint(0, depth - 1))
        return f"({left} {self.random.choice(['&', '|', '^'])} {right})"

    def _negation(self, left, value, depth):
        return f"({self.random.choice(['-', '~', '+'])}{left})"

    def _shift(self, left, value, depth):
        return f"({left} {self.random.choice(['<<', '>>'])} {self.random.choice(['1', '3', '(k % 4)'])})"

    def _where(self, left, value, depth):
        condition, _ = self._grow(1)
        other, _ = self._grow(self.random.randint(0, depth - 1))
        return f"where({condition} > 0, {left}, {other})"

    def _extreme(self, left, value, depth):
        right, _ = self._grow(self.random.randint(0, depth - 1))
        return f"{self.random.choice(['maximum', 'minimum', 'np.maximum'])}({left}, {right})"

    def _clip(self, left, value, depth):
        return f"clip({left}, -1, {self.random.choice(['1', '0.5', 'n'])})"

    def _function(self, left, value, depth):
        functions = FLOAT_FUNCTIONS if value.dtype.kind == "f" else INTEGER_FUNCTIONS
        return f"{self.random.choice(functions)}({left})"

    def _reduction(self, left, value, depth):
        name = self.random.choice(REDUCTIONS)
        arguments = []
        if value.ndim:
            axis = self.random.choice([None, *range(-value.ndim, value.ndim), tuple(self.random.sample(range(value.ndim), self.random.randint(1, value.ndim)))])
            arguments += [] if axis is None else [f"axis={axis}"]
            if self.random.random() < 0.4:
                arguments.append("keepdims=True")
        if self.random.random() < 0.5 and value.ndim:
            return f"({left}).{name}({', '.join(arguments)})"
        return f"{self.random.choice(['', 'np.'])}{name}({', '.join([left, *arguments])})"

    def _index(self, left, value, depth):
        parts = [
            self.random.choice([":", ":", "None", "0", "-1", "1:", ":-1", "::2", "::-1", "1:4", "5:2", "...", "k % 3", "i > 0", "arange(3)", "k[:2] % 5"])
            for _ in range(self.random.randint(1, max(1, value.ndim)))
        ]
        return f"({left})[{', '.join(parts)}]"

    def _axes(self, left, value, depth):
        axis = lambda: self.random.randint(-value.ndim, max(0, value.ndim - 1))  # noqa: E731
        return self.random.choice([
            f"({left}).T",
            f"transpose({left})",
            f"swapaxes({left}, {axis()}, {axis()})",
            f"moveaxis({left}, {axis()}, {axis()})",
            f"reshape({left}, ({self.random.choice(['-1,', '-1, 1', '3, -1', '2, -1, 3'])}))",
            f"({left}).reshape({self.random.choice(['-1', '12, -1', '(4, -1)', '1, -1, 2'])})",
        ])

    def _join(self, left, value, depth):
        right, _ = self._grow(self.random.randint(0, depth - 1))
        axis = self.random.randint(-1, max(0, value.ndim - 1))
        return self.random.choice([
            f"{self.random.choice(['concatenate', 'stack'])}(({left}, {right}), axis={axis})",
            f"concatenate(({left}, {right}))",
            f"roll({left}, {self.random.choice(['1', '-2', '15'])})",
            f"roll({left}, 2, axis={axis})",
            f"repeat({left}, 3)",
            f"repeat({left}, 2, axis={axis})",
            f"cumsum({left}, axis={axis})",
            f"cumsum({left})",
            f"take({left}, k % 3, axis={axis})",
            f"take({left}, k % 3)",
            f"take_along_axis({left}, k[:{self.random.randint(1, 5)}] % 3, axis={axis})", f"take_along_axis({left}, j % 3, axis={axis})",
        ])

    def _product(self, left, value, depth):
        right, _ = self._grow(self.random.randint(0, depth - 1))
        return self.random.choice([f"({left} @ {right})", f"({left} @ p)", f"(a @ ({left}))", f"np.matmul({left}, {right})"])

    def _builtin(self, left, value, depth):
        return self.random.choice([f"abs({left})", f"float({left})", f"int({left})", f"round({left})", f"divmod({left}, 3)[0]", f"len({left})"])


KINDS = sorted(name[1:] for name in vars(RandomExpression) if name.startswith("_") and name[1].isalpha() and name not in ("_grow", "_text", "_leaf", "_evaluate"))
