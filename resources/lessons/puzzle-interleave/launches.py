# /// tilescope
# name = "512 elements"
# kernel = "interleave"
# [sizes]
# n = 512
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n", 2], expected = "stack((x_ptr, y_ptr), axis=1)" }
# ///

# /// tilescope
# name = "1000 elements"
# kernel = "interleave"
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n", 2], expected = "stack((x_ptr, y_ptr), axis=1)" }
# ///
