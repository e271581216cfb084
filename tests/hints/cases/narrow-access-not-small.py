# A block of 32 elements in 128 threads is not wider with any end of the mask.
#| none: narrow-access
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, B)"]
# [args]
# x = { dtype = "fp32", shape = ["n"], init = "randn" }
# y = { dtype = "fp32", shape = ["n"] }
# n = 100
# [constexprs]
# B = "32"
# ///


@triton.jit
def k(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(y + i, 2 * tl.load(x + i, mask=m), mask=m)
