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
#|        ^^^^^^^^^^ runtime-divisor: divides by `width`, which is known only when the kernel runs
#|   note: [3]
#|   note: 2 divisions of blocks of up to 1024 elements
#|   note: also in line 21
#|   note: hides from the compiler which elements the access in line 22 has as neighbors: a lane moves 4 bytes at once
    column = i % width
    x = tl.load(x_ptr + row * width + column)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ uncoalesced-access: the lanes of a warp load elements of `x_ptr` that lie apart in memory
#|   note: [1]
#|   note: a request touches 16 sectors of 32 bytes, and the bytes that it asks for would fill 4
#|   note: the remainder by `width` in line 21 hides which elements are neighbors in memory
#|   note: give rows and columns a dimension of the block each, in place of the remainder by `width` in line 21
    tl.store(o_ptr + i, x)
