# Registers for five programs on a multiprocessor, and nearly for six; there are only four.
#| none: occupancy-cliff
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 8192], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4, 8192] }
# [options]
# num_warps = 4
# ///


@triton.jit
def k(x_ptr, o_ptr):
    i = tl.arange(0, 8192)
    x = tl.load(x_ptr + tl.program_id(0) * 8192 + i)
    y = x / tl.sum(x, axis=0)
    tl.store(o_ptr + tl.program_id(0) * 8192 + i, y)
