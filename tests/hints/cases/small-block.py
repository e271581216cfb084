# Programs of 64 elements.
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
# BLOCK = "64"
# [options]
# num_warps = 4
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
#|  ^ small-block: a program has 256 B under way at a time: too few to keep memory busy
#|   note: [2]
#|   note: 16 programs of 4 warps fit on a multiprocessor of an H100 or H200: 4 KiB under way, and it takes about 16 KiB
#|   note: up to 4 times the bandwidth
#|   note: larger blocks, or fewer warps: some have no elements
#|   fix: set `num_warps` to 2 | 2
#|   note: equal results
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(o_ptr + i, x + 1.0)
