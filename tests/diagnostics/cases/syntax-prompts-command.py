# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
!pip install triton
#| @1-20 syntax-expected-expression: this is a command of a notebook, not Python
#|   fix: make comments of commands, and take prompts away | # !pip install triton
import triton
