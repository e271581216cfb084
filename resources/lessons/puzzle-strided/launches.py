# /// tilescope
# name = "64 x 64"
# kernel = "add_strided"
# [sizes]
# m = 64
# n = 64
# [args]
# x_ptr   = { dtype = "fp32", shape = ["m", "n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n", "m"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["m", "n"], expected = "x_ptr + y_ptr.T" }
# ///

# /// tilescope
# name = "50 x 70"
# kernel = "add_strided"
# [sizes]
# m = 50
# n = 70
# [args]
# x_ptr   = { dtype = "fp32", shape = ["m", "n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n", "m"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["m", "n"], expected = "x_ptr + y_ptr.T" }
# ///
