# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Sound inputs that hostile ones are made of."""

HEAD = "import triton\nimport triton.language as tl\n\n"

BODY = """
@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(y_ptr + offs, x + 1, mask=offs < n)
"""

BLOCK = """grid = ["cdiv(n, BLOCK)"]
[sizes]
n = 8
[args]
x_ptr = { dtype = "fp32", shape = ["n"], init = "ones" }
y_ptr = { dtype = "fp32", shape = ["n"] }
n = "n"
[constexprs]
BLOCK = "8"
"""


def comment(toml, mark="#"):
    return f"{mark} /// tilescope\n" + "".join(f"{mark} {line}\n" for line in toml.splitlines()) + f"{mark} ///\n"


def kernel(toml=BLOCK, body=BODY):
    return HEAD + comment(toml) + body


def changed(old, new):
    """The kernel with another piece in its launch block."""
    assert old in BLOCK, old
    return kernel(BLOCK.replace(old, new))


TTIR_BLOCK = """grid = [1]
[args]
x_ptr = { dtype = "fp32", shape = [8], init = "ones" }
"""

TTIR = """module {
  tt.func public @k(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %p = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %q = tt.addptr %p, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %v = tt.load %q : tensor<8x!tt.ptr<f32>>
    tt.store %q, %v : tensor<8x!tt.ptr<f32>>
    tt.return
  }
}
"""


def ttir(text=TTIR, toml=TTIR_BLOCK):
    return comment(toml, "//") + text
