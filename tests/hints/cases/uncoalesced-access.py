# One column of a matrix: each element is in a row of its own.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [65536], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1024] }
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * 64)
#|      ^^^^^^^^^^^^^^^^^^^^^^^ uncoalesced-access: the lanes of a warp load elements of `x_ptr` that lie apart in memory
#|   note: [1]
#|   note: a request touches 32 sectors of 32 bytes, and the bytes that it asks for would fill 4
#|   note: 13 % of the 32 KiB moved are used; 89 % of the kernel's traffic is this access
#|   note: up to 8 times fewer sectors
#|   note: let a block be of elements that are neighbors in memory; if the kernel needs what lies between, too, load it all and take it apart in registers: `tl.split` after a reshape
    tl.store(o_ptr + i, x)
