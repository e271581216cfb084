# /// tilescope
# name = "rows of 128"
# kernel = "quantize"
# [sizes]
# n_rows = 16
# n_cols = 128
# [args]
# x_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr   = { dtype = "i8", shape = ["n_rows", "n_cols"], expected = "floor(x_ptr / (max(abs(x_ptr), axis=1, keepdims=True) / 127) + 0.5)" }
# scale_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "max(abs(x_ptr), axis=1) / 127" }
# ///

# /// tilescope
# name = "rows of 100"
# kernel = "quantize"
# [sizes]
# n_rows = 16
# n_cols = 100
# [args]
# x_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr   = { dtype = "i8", shape = ["n_rows", "n_cols"], expected = "floor(x_ptr / (max(abs(x_ptr), axis=1, keepdims=True) / 127) + 0.5)" }
# scale_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "max(abs(x_ptr), axis=1) / 127" }
# ///
