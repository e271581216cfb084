# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
In [3]: x = 1
#| @1-9 syntax-expected-expression: this is a prompt of an interactive session or a notebook, not Python
#|   fix: take all prompts away | x = 1
   ...: y = 2
In [4]: %timeit f(x)
