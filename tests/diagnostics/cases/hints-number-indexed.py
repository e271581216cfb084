# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A parameter is indexed that the launch block makes a number.
import triton
import triton.language as tl

# /// tilescope
# kernel = "axpb"
# grid = [1]
# [args]
# x_ptr = 16
# y_ptr = { dtype = "fp32", shape = [16] }
# a = 2
# ///


@triton.jit
def axpb(x_ptr, y_ptr, a):
    i = tl.program_id(0)
    y = a * x_ptr[i]
#|          ^^^^^^^^ type-mismatch: `int32` is not subscriptable: a scalar has no elements
#|   note: the launch block makes `x_ptr` a number, `x_ptr = 16` in line 12
#|   fix: make `x_ptr` an array: write `x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }` in line 12
    z = i[0]
#|      ^^^^ type-mismatch: `int32` is not subscriptable: a scalar has no elements
    tl.store(y_ptr + i, a)
