# Remainders of 64 bits for every element.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1024] }
# n = 8
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(n):
        total += tl.load(x_ptr + (k * 1024 + i).to(tl.int64) % (n * 1024))
#|                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wide-arithmetic: a loop computes in `int64`, which no argument has
#|   note: [3]
#|   note: 1 operation on blocks of 256 elements
#|   note: a product of 64 bits takes several instructions of 32 bits
#|   note: keep indices within a block in 32 bits, and only what the block begins at in 64
#|                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ runtime-divisor: divides by `n`, which is known only when the kernel runs
#|   note: [3]
#|   note: 1 division of blocks of up to 256 elements, in a loop
#|   note: about 20 instructions for each element: by a constant it takes a few, by a power of two one
#|   note: make `n` a `tl.constexpr`, where it has few values
#|   fix: make `n` a `tl.constexpr` | [constexprs]
#|   note: equal results
    tl.store(o_ptr + i, total)
