import triton
import triton.language as tl

# /// tilescope
# kernel = "layer_norm"
# grid = ["n_rows"]
# [sizes]
# n_rows = 64
# n_cols = 768
# [args]
# x_ptr      = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "fp32", shape = ["n_cols"], init = "rand", seed = 1, low = 0.5, high = 1.5 }
# bias_ptr   = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 2 }
# out_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "(x_ptr - mean(x_ptr, axis=1, keepdims=True)) / sqrt(mean((x_ptr - mean(x_ptr, axis=1, keepdims=True)) ** 2, axis=1, keepdims=True) + 1e-5) * weight_ptr + bias_ptr", rtol = 1e-3, atol = 2e-3 }
# eps        = 1e-5
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# ///


@triton.jit
def layer_norm(x_ptr, weight_ptr, bias_ptr, out_ptr, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)

    mean = tl.sum(x, axis=0) / BLOCK
    variance = tl.sum(x * x, axis=0) / BLOCK - mean * mean
    normalized = (x - mean) / tl.sqrt(variance + eps)

    weight = tl.load(weight_ptr + cols, mask=mask)
    bias = tl.load(bias_ptr + cols, mask=mask)
    tl.store(out_ptr + row * n_cols + cols, normalized * weight + bias, mask=mask)
