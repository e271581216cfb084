# /// tilescope
# name = "rows of 128"
# kernel = "row_argmax"
# [sizes]
# n_rows = 16
# n_cols = 128
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randint", seed = 0, low = -9, high = -1 }
# out_ptr = { dtype = "i32", shape = ["n_rows"], expected = "argmax(x_ptr, axis=1)" }
# ///

# /// tilescope
# name = "rows of 100"
# kernel = "row_argmax"
# [sizes]
# n_rows = 16
# n_cols = 100
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randint", seed = 0, low = -9, high = -1 }
# out_ptr = { dtype = "i32", shape = ["n_rows"], expected = "argmax(x_ptr, axis=1)" }
# ///
