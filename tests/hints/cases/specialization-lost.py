# A stride of 1 that the kernel is not compiled for.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1024] }
# stride = 1
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit(do_not_specialize=["stride"])
def k(x_ptr, o_ptr, stride, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * stride)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ specialization-lost: `stride` is 1, and the kernel is compiled for any value: neighbors in the block are not known to be neighbors in memory
#|   note: [1]
#|   note: a lane moves 4 bytes at once; accesses through `stride` are 67 % of the kernel's traffic
#|   note: accesses of up to 16 bytes a lane, in the order of memory
#|   note: take `stride` out of `do_not_specialize`, and let the launch determine its type, which is `i32` now
#|   fix: specialize `stride` | []
#|   note: equal results
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ bytes-unused: requests move 2 times the bytes that they ask for: gaps in `x_ptr`
#|   note: [2]
#|   note: 50 % of the 8 KiB moved are used; 67 % of the kernel's traffic is this access
#|   note: 33 % of the kernel's traffic
#|   note: load the neighbors, too, and take them apart in registers: `tl.split` after a reshape
    tl.store(o_ptr + i, x)
