# The programs with most rows begin.
#| none: uneven-work
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [528]
# [args]
# x_ptr = { dtype = "fp32", shape = [528, 4096], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [528, 4096] }
# [constexprs]
# BLOCK = "4096"
# [options]
# num_warps = 32
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
    p = tl.num_programs(0) - 1 - tl.program_id(0)
    sum = tl.zeros((BLOCK,), dtype=tl.float32)
    for step in range(p + 1):
        sum += tl.load(x_ptr + step * BLOCK + tl.arange(0, BLOCK))
    tl.store(o_ptr + p * BLOCK + tl.arange(0, BLOCK), sum)
