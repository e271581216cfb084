# /// tilescope
# name = "square"
# kernel = "transpose"
# [sizes]
# n_rows = 512
# n_cols = 256
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_cols", "n_rows"], expected = "x_ptr.T" }
# ///

# /// tilescope
# name = "odd sizes"
# kernel = "transpose"
# [sizes]
# n_rows = 100
# n_cols = 70
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_cols", "n_rows"], expected = "x_ptr.T" }
# ///
