# Rows begin at multiples of 16, and the kernel is compiled without knowing it.
#| set signature x_ptr=*fp32:16,o_ptr=*fp32:16,stride=i32
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [64]
# [args]
# x_ptr = { dtype = "fp32", shape = [64, 784], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [64, 512] }
# stride = 784
# [constexprs]
# BLOCK = "512"
# ///


@triton.jit
def k(x_ptr, o_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ narrow-access: a lane moves 4 bytes at once: `stride` is not known to be a multiple of more than 1 element
#|   note: [1]
#|   note: a request touches 16 sectors, of which it uses 25 %
#|   note: 80 % of the kernel's traffic
#|   note: requests 1024 → 256, sectors 16384 → 4096, counted with this change
#|   note: let `stride` be specialized: its type `i32` does not say that it is a multiple of 16
    tl.store(o_ptr + row * BLOCK + i, x)
