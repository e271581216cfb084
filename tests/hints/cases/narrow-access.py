# Rows of 781 elements begin anywhere.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [64]
# [args]
# x_ptr = { dtype = "fp32", shape = [64, 781], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [64, 512] }
# stride = 781
# [constexprs]
# BLOCK = "512"
# ///


@triton.jit
def k(x_ptr, o_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ narrow-access: a lane moves 4 bytes at once: `stride` is not known to be a multiple of more than 1 element
#|   note: [2]
#|   note: a request touches 16.5 sectors, of which it uses 24 %
#|   note: 80 % of the kernel's traffic
#|   note: requests 1024 → 256, sectors 16896 → 4096, counted with this change
#|   note: pad the rows, so that each begins at a multiple of 16 elements: `stride` = 784 instead of 781
    tl.store(o_ptr + row * BLOCK + i, x)
