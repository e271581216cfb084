# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Sizes at which the PTX emulator runs the examples."""

# What the emulator runs in a few seconds, with ragged edges.
SMALL = {
    "vector_add": {"n": 3000},
    "gelu": {"n": 3000},
    "dropout": {"n": 1500},
    "fused_softmax": {"n_rows": 4, "n_cols": 781},
    "layer_norm": {"n_rows": 3, "n_cols": 1500},
    "row_sum_atomic": {"n_rows": 20, "n_cols": 300},
    "transpose": {"n_rows": 100, "n_cols": 70},
    "cumsum": {"n_rows": 2, "n_cols": 1500},
    "matmul": {"M": 70, "N": 66, "K": 40},
}
