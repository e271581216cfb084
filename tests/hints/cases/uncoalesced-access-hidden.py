# Addresses follow each other, but the compiler cannot know: the row and the column are taken apart and put together again.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [64]
# [args]
# x_ptr = { dtype = "fp32", shape = [65536], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [65536] }
# width = 250
# [constexprs]
# BLOCK = "1024"
# ///


@triton.jit
def k(x_ptr, o_ptr, width, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = i // width
    column = i % width
    x = tl.load(x_ptr + row * width + column)
    tl.store(o_ptr + i, x)
