f"{a!r:>{w}}" + 0x_1f * rb"\x00" # c
	if x:
  y = (1,
