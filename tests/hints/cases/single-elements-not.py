# A few numbers, before the data.
#| none: single-elements
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [8], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [8] }
# n = 8
# ///


@triton.jit
def k(x_ptr, o_ptr, n):
    for i in range(n):
        x = tl.load(x_ptr + i)
        tl.store(o_ptr + i, 2 * x)
