# The same where only a size says the number: it stays, since the grid is made of it.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = ["cdiv(64 * width, BLOCK)"]
# [sizes]
# width = 48
# [args]
# x_ptr = { dtype = "fp32", shape = [64, "width"], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [64, "width"] }
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
#|   fix: make `width` a `tl.constexpr` | width = "width"
#|   note: equal results
    x = tl.load(x_ptr + i)
    tl.store(o_ptr + i, x * row)
