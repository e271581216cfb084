# /// tilescope
# name = "product"
# kernel = "matmul"
# [sizes]
# M = 128
# N = 128
# K = 256
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"], expected = "a_ptr @ b_ptr" }
# ///
