# Fewer elements than threads: several threads load each, and one stores it. No mask or pointer makes these accesses wider.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [512], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [512], init = "zeros" }
# n = 10
# [constexprs]
# BLOCK = "64"
# ///


@triton.jit
def k(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    base = tl.program_id(0) * BLOCK
    x = tl.load(x_ptr + base + i, mask=i < n)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ masked-off: masks leave out 84 % of the blocks of 64 elements
#|   note: 160 of 1024 elements are on, in all programs
    tl.store(o_ptr + base + i, x, mask=i < n)
