# /// tilescope
# grid = "8# x"
# ///
