# Registers for five programs, and nearly for six.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [704]
# [args]
# x_ptr = { dtype = "fp32", shape = [704, 8192], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [704, 8192] }
# [options]
# num_warps = 4
# ///


@triton.jit
def k(x_ptr, o_ptr):
#|  ^ occupancy-cliff: 86 registers a thread, where 80 would let 6 programs run on a multiprocessor instead of 5
#|   note: [3]
#|   note: 20 of 64 warps now, 24 then
#|   note: limited by registers
#|   note: warps to run while others wait, where the kernel waits for memory
#|   note: `maxnreg = 80`, if nothing is spilled then, or smaller blocks
#|   fix: set `maxnreg` to 80 | maxnreg   = 80
#|   note: equal results
    i = tl.arange(0, 8192)
    x = tl.load(x_ptr + tl.program_id(0) * 8192 + i)
    y = x / tl.sum(x, axis=0)
    tl.store(o_ptr + tl.program_id(0) * 8192 + i, y)
