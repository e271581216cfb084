# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Rows that descriptors gather and scatter, and reductions into memory."""

import numpy as np

from .case import Case, Tensor, Tolerance
from .dtypes import BF16, FP16, FP32, I32, I64, U32

ROWS, COLUMNS = 24, 48


def row_cases():
    # Some rows twice, some outside.
    rows = np.array([3, 0, 23, 7, 24, 7, -1, 12])
    inside = (rows >= 0) & (rows < ROWS)
    for dtype in (FP16, FP32, I32):
        args = {"x_ptr": Tensor(dtype, (ROWS, COLUMNS), ("integers", -50, 50)), "r_ptr": Tensor(I32, (8,), rows),
                "o_ptr": Tensor(dtype, (8, 32))}
        body = f"""d = tl.make_tensor_descriptor(x_ptr, [{ROWS}, {COLUMNS}], [{COLUMNS}, 1], [1, 32])
v = d.gather(tl.load(r_ptr + tl.arange(0, 8)), 32)
tl.store(o_ptr + tl.arange(0, 8)[:, None] * 32 + tl.arange(0, 32)[None, :], v)"""

        def gathered(v):
            out = np.zeros((8, 32))
            out[inside, :COLUMNS - 32] = v.x_ptr[rows[inside], 32:]
            return {"o_ptr": out}

        yield Case(f"descriptor_gather_{dtype.name}", "descriptors", args, body, gathered)

        args = {"x_ptr": Tensor(dtype, (ROWS, COLUMNS), ("integers", -50, 50)),
                "r_ptr": Tensor(I32, (8,), np.where(rows == 7, [0, 0, 0, 9, 0, 7, 0, 0], rows)),
                "v_ptr": Tensor(dtype, (8, 32), ("integers", 100, 200))}
        body = f"""d = tl.make_tensor_descriptor(x_ptr, [{ROWS}, {COLUMNS}], [{COLUMNS}, 1], [1, 32])
v = tl.load(v_ptr + tl.arange(0, 8)[:, None] * 32 + tl.arange(0, 32)[None, :])
d.scatter(v, tl.load(r_ptr + tl.arange(0, 8)), 32)"""

        def scattered(v):
            out = v.x_ptr.copy()
            out[v.r_ptr[inside], 32:] = v.v_ptr[inside, :COLUMNS - 32]
            return {"x_ptr": out}

        yield Case(f"descriptor_scatter_{dtype.name}", "descriptors", args, body, scattered)


REDUCTIONS = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or,
              "xor": np.bitwise_xor}


def reduction_cases():
    for kind, function in REDUCTIONS.items():
        types = {"add": (FP16, FP32, I32, U32), "min": (FP16, BF16, I32, U32, I64),
                 "max": (FP16, BF16, I32, U32, I64)}.get(kind, (I32, U32))
        for dtype in types:
            low = 0 if dtype is U32 else -50
            args = {"x_ptr": Tensor(dtype, (ROWS, COLUMNS), ("integers", low, 50)),
                    "v_ptr": Tensor(dtype, (16, 32), ("integers", low, 50))}
            body = f"""d = tl.make_tensor_descriptor(x_ptr, [{ROWS}, {COLUMNS}], [{COLUMNS}, 1], [16, 32])
v = tl.load(v_ptr + tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :])
d.atomic_{kind}([16, 32], v)"""

            def reference(v, function=function):
                out = v.x_ptr.copy()
                out[16:, 32:] = function(out[16:, 32:], v.v_ptr[:ROWS - 16, :COLUMNS - 32])
                return {"x_ptr": out}

            yield Case(f"descriptor_{kind}_{dtype.name}", "descriptors", args, body, reference, Tolerance(any_zero=True))


def cases():
    yield from row_cases()
    yield from reduction_cases()
