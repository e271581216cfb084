# Programs of 1024 elements.
#| none: small-block
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 262144
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# o_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# BLOCK = "1024"
# [options]
# num_warps = 4
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(o_ptr + i, x + 1.0)
