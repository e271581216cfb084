# A store to another array stands between two loads of one block.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [1024] }
# z_ptr = { dtype = "fp32", shape = [1024] }
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, y_ptr, z_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(y_ptr + i, x * 2.0)
    z = tl.load(x_ptr + i)
#|      ^^^^^^^^^^^^^^^^^^ redundant-load: the block of 1 KiB that line 20 has loaded is loaded again
#|   note: [2]
#|   note: each program executes the load 1 times, and nothing in the kernel writes there
#|   note: 25 % of the kernel's traffic
#|   note: these loads
#|   note: keep the block that is there
#|   fix: use `x` again | x
#|   note: equal results
    tl.store(z_ptr + i, z + 1.0)
