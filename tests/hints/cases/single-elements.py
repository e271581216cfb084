# A loop as in Python.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [1000], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1000] }
# n = 1000
# ///


@triton.jit
def k(x_ptr, o_ptr, n):
    for i in range(n):
        x = tl.load(x_ptr + i)
#|          ^^^^^^^^^^^^^^^^^^ single-elements: one program goes over the data, one element at a time
#|   note: [1]
#|   note: it executes this 1000 times
#|   note: nearly all of the time
#|   note: a grid of `cdiv(n, BLOCK)` programs
        tl.store(o_ptr + i, 2 * x)
