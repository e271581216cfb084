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
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ masked-off: masks leave out 42 % of the blocks of 1024 elements
#|   note: [2]
#|   note: 1184 of 2048 elements are on, in all programs
#|   note: also in line 22
#|   note: lanes compute all elements, those that are off, too: up to 42 % of the work on these blocks
#|   note: choose blocks that divide the size, or loop over smaller ones
    tl.store(o_ptr + i, x, mask=mask)
