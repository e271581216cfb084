# Every other element.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [2048], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [2048] }
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + 2 * i)
#|      ^^^^^^^^^^^^^^^^^^^^^^ bytes-unused: requests move 2 times the bytes that they ask for: gaps in `x_ptr`
#|   note: [2]
#|   note: 50 % of the 8 KiB moved are used; 50 % of the kernel's traffic is this access
#|   note: 25 % of the kernel's traffic
#|   note: load the neighbors, too, and take them apart in registers: `tl.split` after a reshape
    tl.store(o_ptr + 2 * i, x)
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^ bytes-unused: requests move 2 times the bytes that they ask for: gaps in `o_ptr`
#|   note: [2]
#|   note: 50 % of the 8 KiB moved are used; 50 % of the kernel's traffic is this access
#|   note: 25 % of the kernel's traffic
#|   note: store both halves together: `tl.join` puts neighbors side by side
