# /// tilescope
# name = "square"
# kernel = "transpose_add"
# [sizes]
# n_rows = 256
# n_cols = 256
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n_cols", "n_rows"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n_cols", "n_rows"], expected = "x_ptr.T + y_ptr" }
# ///
