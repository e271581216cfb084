# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What is expected of an output, over names that the launch nearly has.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [64], init = "randn" }
# factor = 2.0
# out_ptr = { dtype = "fp32", shape = [64], expected = "2 * x" }
#|                                                     ^^^^^^^ launch-block-invalid: `out_ptr` could not be checked: `x` is not defined; the names here are `x_ptr`, `factor`, `out_ptr`, `sum_ptr`, `last_ptr`, `mat_ptr`, `most_ptr`, `B`; did you mean `x_ptr`?
#|   fix: write `"2 * x_ptr"` | "2 * x_ptr"
# sum_ptr = { dtype = "fp32", shape = [1], expected = "sum(x, axis=0) * facto" }
#|                                                    ^^^^^^^^^^^^^^^^^^^^^^^^ launch-block-invalid: is not defined
#|   fix: write `"sum(x_ptr, axis=0) * factor"` | "sum(x_ptr, axis=0) * factor"
# last_ptr = { dtype = "fp32", shape = [64], expected = "unheard * 2" }
#|                                                      ^^^^^^^^^^^^^ launch-block-invalid: `unheard` is not defined
# mat_ptr = { dtype = "fp32", shape = [16, 4], init = "randn" }
# most_ptr = { dtype = "fp32", shape = [16], expected = "max(mat_ptr, 1)" }
#|                                                      ^^^^^^^^^^^^^^^^^ launch-block-invalid: `max(mat_ptr, axis=1)` has one axis less: without `axis=`, `max` compares its arguments element by element
#|   fix: write `"max(mat_ptr, axis=1)"` | "max(mat_ptr, axis=1)"
# [constexprs]
# B = 64
# ///


@triton.jit
def k(x_ptr, factor, out_ptr, sum_ptr, last_ptr, mat_ptr, most_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, x * factor)
    tl.store(sum_ptr, tl.sum(x) * factor)
    tl.store(last_ptr + i, x)
    j = tl.arange(0, 16)
    rows = tl.load(mat_ptr + j[:, None] * 4 + tl.arange(0, 4)[None, :])
    tl.store(most_ptr + j, tl.max(rows, axis=1))
