# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernels that load blocks, compute something for each element, and store it, in every class of shapes."""

import math
from types import SimpleNamespace

import numpy as np

from .case import EXACT, Case, Tensor
from .dtypes import I1

# Class -> block shape, elements that the mask lets through (None: no mask), warps. Blocks that are smaller than
# the program's threads are held several times; those that are larger take registers.
SHAPES = {
    "one": ((1,), None, 1),
    "small": ((16,), None, 4),
    "warps": ((1024,), None, 4),
    "rows": ((32, 64), None, 8),
    "cube": ((4, 8, 32), None, 2),
    "masked": ((1024,), 1000 - 3, 4),
    "empty": ((64,), 0, 2),
}


def offsets(shape):
    """The text of a block of row-major offsets."""
    if len(shape) == 1:
        return f"tl.arange(0, {shape[0]})"
    terms = []
    for axis, extent in enumerate(shape):
        index = ", ".join(":" if other == axis else "None" for other in range(len(shape)))
        stride = math.prod(shape[axis + 1:])
        terms.append(f"tl.arange(0, {extent})[{index}]" + (f" * {stride}" if stride != 1 else ""))
    return " + ".join(terms)


def elementwise(name, group, inputs, outputs, reference, shape="warps", tolerance=EXACT, setup="", scalars=None,
                helpers="", triton="", check_types=True):
    """A case for `outputs`: name -> (expression over the inputs' names, dtype).

    `inputs`: name -> dtype or (dtype, data). `reference` takes the inputs' values as flat arrays of those
    elements that the mask lets through, and returns values by output, or (values, where defined). `scalars` are
    inputs of one element that are loaded as scalars.
    """
    block, limit, warps = SHAPES[shape]
    count = math.prod(block)
    shown = count if limit is None else limit
    args, lines = {}, [f"i = {offsets(block)}"]
    mask = "" if limit is None else ", mask=i < n"
    for key, given in inputs.items():
        dtype, data = given if isinstance(given, tuple) else (given, "edges")
        single = key in (scalars or ())
        args[f"{key}_ptr"] = Tensor(dtype, (1,) if single else (count,), data)
        where = f"{key}_ptr" if single else f"{key}_ptr + i{mask}"
        lines.append(f"{key} = tl.load({where})")
    lines += setup.strip("\n").split("\n") if setup else []
    for key, (expression, dtype) in outputs.items():
        args[f"{key}_ptr"] = Tensor(dtype, (count,))
        lines.append(f"{key} = {expression}")
        if check_types and dtype is not None:
            lines.append(f"tl.static_assert({key}.dtype == {dtype.language})")
        lines.append(f"tl.store({key}_ptr + i, {key}{mask})")
    if limit is not None:
        args["n"] = limit

    def expect(before):
        values = SimpleNamespace(**{key: getattr(before, f"{key}_ptr") if key in (scalars or ())
                                    else getattr(before, f"{key}_ptr")[:shown] for key in inputs})
        result = {}
        for key, value in reference(values).items():
            array, defined = value if isinstance(value, tuple) else (value, True)
            whole = getattr(before, f"{key}_ptr").copy()
            whole[:shown] = np.broadcast_to(array, (shown,)).astype(whole.dtype)
            where = np.ones(count, bool)
            where[:shown] = defined
            result[f"{key}_ptr"] = whole, where
        return result

    return Case(name, group, args, "\n".join(lines), expect, tolerance, options={"num_warps": warps},
                helpers=helpers, triton=triton)
