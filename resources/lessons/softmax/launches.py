# /// tilescope
# name = "rows"
# kernel = "softmax"
# [sizes]
# n_rows = 128
# n_cols = 784
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "exp(x_ptr) / sum(exp(x_ptr), axis=1, keepdims=True)" }
# ///

# /// tilescope
# name = "large numbers"
# kernel = "softmax"
# [sizes]
# n_rows = 128
# n_cols = 784
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0, scale = 300.0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "exp(x_ptr - max(x_ptr, axis=1, keepdims=True)) / sum(exp(x_ptr - max(x_ptr, axis=1, keepdims=True)), axis=1, keepdims=True)" }
# ///
