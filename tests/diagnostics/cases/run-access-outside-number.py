# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Rows of results are multiplied by the length of others: no mask of a program's number is meant.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [16, 26]
# [sizes]
# n = 208
# [args]
# x_ptr = { dtype = "fp32", shape = [16, "n"], init = "randn" }
# s_ptr = { dtype = "fp32", shape = [16, 26], init = "empty" }
# n     = "n"
# ///


@triton.jit
def k(x_ptr, s_ptr, n):
    row = tl.program_id(0)
    group = tl.program_id(1)
    x = tl.load(x_ptr + row * n + group * 8 + tl.arange(0, 8))
    tl.store(s_ptr + row * n + group, tl.max(x))
#|  ^~ run-access-outside: the grid has too many programs, or the address or the shape of `s_ptr` in the launch block is wrong
