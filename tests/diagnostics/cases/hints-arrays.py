# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Arrays that are indexed as on the host. No launch says what the parameters are.
import triton
import triton.language as tl


@triton.jit
def k(x, y, z_ptr, out, bins, n, z_row_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    a = x[row, i]
#|      ^^^^^^^^^ bad-argument: `x` is a pointer and cannot be indexed: load its elements with `tl.load(x + row * stride_x + i)`
#|   note: `stride_x` is the number of elements from one row of the array to the next
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
#|      ^^^^^^^^^ bad-argument: load its elements with `tl.load(x + row * stride_x + tl.arange(0, BLOCK))`
    out[i] = y[i] + 1.0
#|           ^^^^ bad-argument: load its elements with `tl.load(y + i)`
#|  ^^^^^^ unsupported-syntax: `out` is a pointer and cannot be indexed: store its elements with `tl.store(out + i, y[i] + 1.0)`
#|   fix: write `tl.store(out + i, y[i] + 1.0)`
    out[i] += 2.0
#|  ^^^^^^ unsupported-syntax: update its elements with `tl.atomic_add(out + i, 2.0)`
#|   note: several elements of a block, or several programs, may come to one place
#|   fix: write `tl.atomic_add(out + i, 2.0)`
    mine = row * BLOCK + i
    out[mine] += 2.0 * a
#|  ^^^^^^^^^ unsupported-syntax: store its elements with `tl.store(out + mine, tl.load(out + mine) + (2.0 * a))`
#|   fix: write `tl.store(out + mine, tl.load(out + mine) + (2.0 * a))`
    v = tl.load(bins + i)
    out[v] -= i + 1
#|  ^^^^^^ unsupported-syntax: update its elements with `tl.atomic_add(out + v, -(i + 1))`
#|   fix: write `tl.atomic_add(out + v, -(i + 1))`
    out[v] *= 2
#|  ^^^^^^ unsupported-syntax: `tl.store(out + v, tl.load(out + v) * 2)`
#|   note: only one of their updates is left
    out[0] += tl.sum(i)
#|  ^^^^^^ unsupported-syntax: update its elements with `tl.atomic_add(out, tl.sum(i))`
    for j in range(n):
        out[j] += 1.0
#|      ^^^^^^ unsupported-syntax: update its elements with `tl.atomic_add(out + j, 1.0)`
    f = y[row] - 1.0
#|      ^^^^^^ bad-argument: load its elements with `tl.load(y + row)`
#|   note: this is one element; a row of a matrix is `tl.load(y + row * stride_y + tl.arange(0, BLOCK))`
#|   fix: write `tl.load(y + row)`
