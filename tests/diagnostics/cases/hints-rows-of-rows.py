# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Rows of rows, as of lists on the host.
import triton
import triton.language as tl


@triton.jit
def rows(x, out, n_cols):
    r = tl.program_id(0)
    for c in range(n_cols):
        v = x[r][c]
#|          ^^^^^^^ bad-argument: load its elements with `tl.load(x + r * n_cols + c)`
#|   note: that is right where rows lie side by side, `n_cols` elements each
#|   fix: write `tl.load(x + r * n_cols + c)`
        out[r][c] = c
#|      ^^^^^^^^^ unsupported-syntax: store its elements with `tl.store(out + r * n_cols + c, c)`
#|   fix: write `tl.store(out + r * n_cols + c, c)`
