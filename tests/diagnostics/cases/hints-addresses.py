# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Arrays that are indexed where an address belongs.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, z_ptr, n, z_row_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr[cols], mask=cols < n)
#|              ^^^^^^^^^^^ bad-argument: `x_ptr` is a pointer and cannot be indexed: `tl.load` takes the address, `x_ptr + cols`
#|   fix: write `x_ptr + cols` | x_ptr + cols
    y = tl.load(y_ptr[row, cols], mask=cols < n)
#|              ^^^^^^^^^^^^^^^^ bad-argument: `tl.load` takes the address, `y_ptr + row * n + cols`
#|   note: that is right where rows lie side by side, `n` elements each
#|   fix: write `y_ptr + row * n + cols`
    tl.store(z_ptr[row, cols], cols)
#|           ^^^^^^^^^^^^^^^^ bad-argument: `tl.store` takes the address, `z_ptr + row * z_row_stride + cols`
#|   note: pass `mask=`
#|   fix: write `z_ptr + row * z_row_stride + cols`
    tl.atomic_add(z_ptr[row], 1)
#|                ^^^^^^^^^^ bad-argument: `tl.atomic_add` takes the address, `z_ptr + row`
#|   fix: write `z_ptr + row`
