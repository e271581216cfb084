# /// tilescope
# name = "1024 elements"
# kernel = "histogram"
# [sizes]
# n = 1024
# [args]
# x_ptr      = { dtype = "i32", shape = ["n"], init = "randint", seed = 0, low = 0, high = 16 }
# values_ptr = { dtype = "i32", shape = [16], init = "arange" }
# out_ptr    = { dtype = "i32", shape = [16], init = "zeros", expected = "sum(where(x_ptr[:, None] == values_ptr[None, :], 1, 0), axis=0)" }
# ///

# /// tilescope
# name = "3000 elements"
# kernel = "histogram"
# [sizes]
# n = 3000
# [args]
# x_ptr      = { dtype = "i32", shape = ["n"], init = "randint", seed = 0, low = 0, high = 16 }
# values_ptr = { dtype = "i32", shape = [16], init = "arange" }
# out_ptr    = { dtype = "i32", shape = [16], init = "zeros", expected = "sum(where(x_ptr[:, None] == values_ptr[None, :], 1, 0), axis=0)" }
# ///
