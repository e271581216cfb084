import triton
import triton.language as tl

# /// tilescope
# kernel = "softmax"
# grid = ["n_rows"]
# [sizes]
# n_rows = 128
# n_cols = 784
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "exp(x_ptr) / sum(exp(x_ptr), axis=1, keepdims=True)" }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# ///


@triton.jit
def softmax(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols

    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    denominator = tl.sum(numerator, axis=0)
    tl.store(out_ptr + row * n_cols + cols, numerator / denominator, mask=mask)
