# The block is wider than a row.
#| none: mask-always-true
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 200], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4, 200] }
# [constexprs]
# WIDTH = "200"
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * WIDTH + i, mask=i < WIDTH, other=0.0)
    tl.store(o_ptr + row * WIDTH + i, x, mask=i < WIDTH)
