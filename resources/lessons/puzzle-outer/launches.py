# /// tilescope
# name = "64 x 64"
# kernel = "outer"
# [sizes]
# m = 64
# n = 64
# [args]
# x_ptr   = { dtype = "fp32", shape = ["m"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["m", "n"], expected = "x_ptr[:, None] + y_ptr[None, :]" }
# ///

# /// tilescope
# name = "100 x 70"
# kernel = "outer"
# [sizes]
# m = 100
# n = 70
# [args]
# x_ptr   = { dtype = "fp32", shape = ["m"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["m", "n"], expected = "x_ptr[:, None] + y_ptr[None, :]" }
# ///
