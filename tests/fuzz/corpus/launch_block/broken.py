# /// tilescope
# kernel = [
# [args
# ///
# /// tilescope
# a = 1
