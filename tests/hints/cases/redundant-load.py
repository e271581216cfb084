# The same weights for every row.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 1024], init = "randn" }
# w_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [8, 1024] }
# n = 8
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, w_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for row in range(n):
        w = tl.load(w_ptr + i)
#|          ^^^^^^^^^^^^^^^^^^ redundant-load: every iteration loads the same block of 1 KiB
#|   note: [2]
#|   note: each program executes the load 8 times, and nothing in the kernel writes there
#|   note: 33 % of the kernel's traffic
#|   note: all of these loads but the first
#|   note: load it before the loop
#|   fix: load `w` before the loop |     w = tl.load(w_ptr + i)
#|   note: equal results
        x = tl.load(x_ptr + row * 1024 + i)
        tl.store(o_ptr + row * 1024 + i, x * w)
