# Each element finds its row and column by a number that only the launch knows.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4096], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4096] }
# width = 48
# [constexprs]
# BLOCK = "1024"
# ///


@triton.jit
def k(x_ptr, o_ptr, width, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = i // width
#|        ^^^^^^^^^^ runtime-divisor: divides by `width`, which is known only when the kernel runs
#|   note: [3]
#|   note: 1 division of blocks of up to 1024 elements
#|   note: about 20 instructions for each element: by a constant it takes a few, by a power of two one
#|   note: make `width` a `tl.constexpr`, where it has few values
#|   fix: make `width` a `tl.constexpr` | [constexprs]
#|   note: equal results
    x = tl.load(x_ptr + i)
    tl.store(o_ptr + i, x * row)
