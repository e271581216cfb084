# The block is as wide as a row.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 256], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4, 256] }
# [constexprs]
# WIDTH = "256"
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * WIDTH + i, mask=i < WIDTH, other=0.0)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ mask-always-true: the mask is true for every element, whatever the arguments are
#|   note: [3]
#|   note: its index never reaches its bound for these constexprs; 256 elements a block
#|   note: a comparison for each element, and the registers of the mask
#|   note: leave the mask out
#|   fix: leave out `mask`, `other` |
#|   note: equal results
    tl.store(o_ptr + row * WIDTH + i, x, mask=i < WIDTH)
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ mask-always-true: the mask is true for every element, whatever the arguments are
#|   note: [3]
#|   note: its index never reaches its bound for these constexprs; 256 elements a block
#|   note: a comparison for each element, and the registers of the mask
#|   note: leave the mask out
#|   fix: leave out `mask` |
#|   note: equal results
