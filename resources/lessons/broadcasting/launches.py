# /// tilescope
# name = "whole blocks"
# kernel = "add_bias"
# [sizes]
# n_rows = 64
# n_cols = 128
# [args]
# x_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# bias_ptr = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 1 }
# out_ptr  = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "x_ptr + bias_ptr" }
# ///

# /// tilescope
# name = "odd sizes"
# kernel = "add_bias"
# [sizes]
# n_rows = 100
# n_cols = 200
# [args]
# x_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# bias_ptr = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 1 }
# out_ptr  = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "x_ptr + bias_ptr" }
# ///
