# SPDX-License-Identifier: GPL-3.0-or-later
import triton
import triton.language as tl


# /// tilescope
# name = "broken"
# kernel = "broken"
# grid = [1]
# ///
@triton.jit
def broken():
    nothing


# /// tilescope
# name = "small"
# kernel = "increment"
# grid = [1]
# args = { x = { dtype = "i32", shape = [4], init = "ones" } }
# constexprs = { N = 4 }
# ///

# /// tilescope
# name = "large"
# kernel = "increment"
# grid = [1]
# args = { x = { dtype = "i32", shape = [2], init = "ones" } }
# constexprs = { N = 2 }
# ///
@triton.jit
def increment(x, N: tl.constexpr):
    at = x + tl.arange(0, N)
    tl.store(at, tl.load(at) + 1)
