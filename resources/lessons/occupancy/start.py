import triton
import triton.language as tl

# /// tilescope
# kernel = "gelu"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 40000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "0.5 * x_ptr * (1 + tanh(0.7978845608 * (x_ptr + 0.044715 * x_ptr ** 3)))", rtol = 1e-3 }
# [constexprs]
# BLOCK = 16384
# [options]
# num_warps = 4
# ///


@triton.jit
def gelu(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    tanh = 1 - 2 / (tl.exp(2 * inner) + 1)
    tl.store(out_ptr + offsets, 0.5 * x * (1 + tanh), mask=mask)
