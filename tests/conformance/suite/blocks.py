# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernels that load whole blocks of given shapes, compute, and store blocks of other shapes."""

from types import SimpleNamespace

import numpy as np

from .case import EXACT, Case, Tensor
from .elementwise import offsets


def blocks(name, group, inputs, outputs, reference, tolerance=EXACT, setup="", warps=4, helpers="", triton="",
           scalars=None, options=None):
    """`inputs`: name -> (dtype, shape, data). `outputs`: name -> (expression, dtype, shape), where the shape ()
    is a scalar. `reference` takes the inputs as arrays of their shapes and returns arrays by output. `scalars` are
    arguments passed by value.
    """
    args, lines = {}, []
    for key, (dtype, shape, data) in inputs.items():
        args[f"{key}_ptr"] = Tensor(dtype, shape or (1,), data)
        lines.append(f"{key} = tl.load({key}_ptr + {offsets(shape)})" if shape else f"{key} = tl.load({key}_ptr)")
    args.update(scalars or {})
    lines += setup.strip("\n").split("\n") if setup else []
    for key, (expression, dtype, shape) in outputs.items():
        args[f"{key}_ptr"] = Tensor(dtype, shape or (1,))
        lines.append(f"{key} = {expression}")
        lines.append(f"tl.static_assert({key}.dtype == {dtype.language})")
        where = f"{key}_ptr + {offsets(shape)}" if shape else f"{key}_ptr"
        lines.append(f"tl.store({where}, {key})")

    def expect(before):
        values = SimpleNamespace(**{key: getattr(before, f"{key}_ptr") for key in inputs},
                                 **{key: getattr(before, key) for key in scalars or {}})
        return {f"{key}_ptr": (tuple(map(lambda part: reshape(part, outputs[key][2]), value))
                               if isinstance(value, tuple) else reshape(value, outputs[key][2]))
                for key, value in reference(values).items()}

    return Case(name, group, args, "\n".join(lines), expect, tolerance, options={"num_warps": warps, **(options or {})},
                helpers=helpers, triton=triton)


def reshape(value, shape):
    return np.broadcast_to(np.asarray(value), shape or (1,)) if np.ndim(value) == 0 else np.reshape(value, shape or (1,))
