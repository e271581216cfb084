# /// tilescope
# kernel = """k[[["""
# name = '''a.b.c'''
# [args]
# "x y" = { dtype = "fp32", shape = [1, "n"], init = "rand", low = -1e-5, high = inf }
# [work]
# bytes = "8 * n"
# [sweep]
# n = [1, 0.5, "2"]
# [launch]
# name = "größe"
# ///
