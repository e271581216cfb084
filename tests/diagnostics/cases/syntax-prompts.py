# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


>>> @triton.jit
#| @1-5 syntax-expected-expression: this is a prompt of an interactive session or a notebook, not Python
#|   fix: take all prompts away | @triton.jit
... def f(x_ptr):
...     tl.store(x_ptr, 1.0)
...
In [3]: %timeit f
