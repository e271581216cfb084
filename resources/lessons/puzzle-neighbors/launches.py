# /// tilescope
# name = "256 elements"
# kernel = "smooth"
# [sizes]
# n = 256
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "(x_ptr + concatenate((x_ptr[1:], 0 * x_ptr[:1])) + concatenate((0 * x_ptr[:1], x_ptr[:-1]))) / 3" }
# ///

# /// tilescope
# name = "1000 elements"
# kernel = "smooth"
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "(x_ptr + concatenate((x_ptr[1:], 0 * x_ptr[:1])) + concatenate((0 * x_ptr[:1], x_ptr[:-1]))) / 3" }
# ///
