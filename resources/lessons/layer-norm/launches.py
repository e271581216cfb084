# /// tilescope
# name = "small numbers"
# kernel = "layer_norm"
# [sizes]
# n_rows = 64
# n_cols = 768
# [args]
# x_ptr      = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "fp32", shape = ["n_cols"], init = "rand", seed = 1, low = 0.5, high = 1.5 }
# bias_ptr   = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 2 }
# out_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "(x_ptr - mean(x_ptr, axis=1, keepdims=True)) / sqrt(mean((x_ptr - mean(x_ptr, axis=1, keepdims=True)) ** 2, axis=1, keepdims=True) + 1e-5) * weight_ptr + bias_ptr", rtol = 1e-3, atol = 2e-3 }
# eps        = 1e-5
# ///

# /// tilescope
# name = "large mean"
# kernel = "layer_norm"
# [sizes]
# n_rows = 64
# n_cols = 768
# [args]
# x_ptr      = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "rand", seed = 0, low = 998.0, high = 1002.0 }
# weight_ptr = { dtype = "fp32", shape = ["n_cols"], init = "rand", seed = 1, low = 0.5, high = 1.5 }
# bias_ptr   = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 2 }
# out_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "(x_ptr - mean(x_ptr, axis=1, keepdims=True)) / sqrt(mean((x_ptr - mean(x_ptr, axis=1, keepdims=True)) ** 2, axis=1, keepdims=True) + 1e-5) * weight_ptr + bias_ptr", rtol = 1e-3, atol = 2e-3 }
# eps        = 1e-5
# ///
