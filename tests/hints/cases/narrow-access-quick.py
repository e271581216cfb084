# Wider accesses of a launch that is over before they matter; the mean is of the columns that there are.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [37]
# [args]
# x_ptr = { dtype = "fp16", shape = [37, 1000], init = "randn" }
# o_ptr = { dtype = "fp16", shape = [37, 1000] }
# stride = 1000
# n = 1000
# [constexprs]
# BLOCK = "1024"
# ///


@triton.jit
def k(x_ptr, o_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i, mask=i < n, other=0.0).to(tl.float32)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ narrow-access: a lane moves 2 bytes at once: `stride` is not known to be a multiple of more than 1 element
#|   note: [3]
#|   note: counted with this change; but no gain of time is predicted: 
#|   note: pad the rows, so that each begins at a multiple of 16 elements: `stride` = 1008 instead of 1000; and let the mask end at a multiple of 16 elements, where what lies between does no harm: an argument of its own, 1008, in place of `n` = 1000, as line 23 computes with `n`, too
    mean = tl.sum(x, axis=0) / n
    tl.store(o_ptr + row * stride + i, x - mean, mask=i < n)
