# /// tilescope
# name = "512 elements"
# kernel = "reverse"
# [sizes]
# n = 512
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr[::-1]" }
# ///

# /// tilescope
# name = "1000 elements"
# kernel = "reverse"
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr[::-1]" }
# ///
