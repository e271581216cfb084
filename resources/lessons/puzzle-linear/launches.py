# /// tilescope
# name = "64 x 64 x 64"
# kernel = "linear"
# [sizes]
# M = 64
# N = 64
# K = 64
# [args]
# x_ptr   = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# w_ptr   = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# b_ptr   = { dtype = "fp16", shape = ["N"], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["M", "N"], expected = "maximum(x_ptr @ w_ptr + b_ptr, 0)", rtol = 1e-2, atol = 2e-2 }
# ///

# /// tilescope
# name = "50 x 40 x 70"
# kernel = "linear"
# [sizes]
# M = 50
# N = 40
# K = 70
# [args]
# x_ptr   = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# w_ptr   = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# b_ptr   = { dtype = "fp16", shape = ["N"], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["M", "N"], expected = "maximum(x_ptr @ w_ptr + b_ptr, 0)", rtol = 1e-2, atol = 2e-2 }
# ///
