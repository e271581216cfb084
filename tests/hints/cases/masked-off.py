# Two fifths of the block lie behind the end.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [592], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [592] }
# n = 592
# [constexprs]
# BLOCK = "1024"
# ///


@triton.jit
def k(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask)
    tl.store(o_ptr + i, x, mask=mask)
