# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Arrays that are indexed as on the host. No launch says what the parameters are.
import triton
import triton.language as tl


@triton.jit
def k(x, y, z_ptr, out, n, z_row_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    a = x[row, i]
#|      ^^^^^^^^^ bad-argument: `x` is a pointer and cannot be indexed: load its elements with `tl.load(x + row * stride + i)`
#|   note: `stride` is the number of elements from one row to the next
#|   note: pass `mask=`
    b = y[i + 1]
#|      ^^^^^^^^ bad-argument: load its elements with `tl.load(y + i + 1)`
#|   fix: write `tl.load(y + i + 1)`
    c = z_ptr[row + 1, i]
#|      ^^^^^^^^^^^^^^^^^ bad-argument: load its elements with `tl.load(z_ptr + (row + 1) * z_row_stride + i)`
#|   fix: write `tl.load(z_ptr + (row + 1) * z_row_stride + i)`
    d = z_ptr[0]
#|      ^^^^^^^^ bad-argument: load its elements with `tl.load(z_ptr)`
    e = x[row, :]
#|      ^^^^^^^^^ bad-argument: load its elements with `tl.load(x + row * stride + cols)`
    out[i] = y[i] + 1.0
#|           ^^^^ bad-argument: load its elements with `tl.load(y + i)`
#|  ^^^^^^ unsupported-syntax: `out` is a pointer and cannot be indexed: store its elements with `tl.store(out + i, y[i] + 1.0)`
#|   fix: write `tl.store(out + i, y[i] + 1.0)`
    out[i] += 2.0
#|  ^^^^^^ unsupported-syntax: `tl.store(out + i, tl.load(out + i) + 2.0)`
#|   fix: write `tl.store(out + i, tl.load(out + i) + 2.0)`
