# Rows of 1037 elements begin anywhere.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [8192]
# [args]
# x_ptr = { dtype = "fp16", shape = [8192, 1037], init = "randn" }
# o_ptr = { dtype = "fp16", shape = [8192, 1024] }
# stride = 1037
# [constexprs]
# BLOCK = "1024"
# ///


@triton.jit
def k(x_ptr, o_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ narrow-access: a lane moves 2 bytes at once: `stride` is not known to be a multiple of more than 1 element
#|   note: [2]
#|   note: a request touches 16.5 sectors, of which it uses 12 %
#|   note: 89 % of the kernel's traffic
#|   note: counted with this change; predicted: 
#|   note: pad the rows, so that each begins at a multiple of 16 elements: `stride` = 1040 instead of 1037
    tl.store(o_ptr + row * BLOCK + i, x)
