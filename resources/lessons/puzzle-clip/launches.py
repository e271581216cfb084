# /// tilescope
# name = "a full block"
# kernel = "clip"
# [sizes]
# n = 256
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "minimum(maximum(x_ptr, low), high)" }
# low     = -0.5
# high    = 0.75
# ///

# /// tilescope
# name = "1000 elements"
# kernel = "clip"
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "minimum(maximum(x_ptr, low), high)" }
# low     = -0.5
# high    = 0.75
# ///
