# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What does not parse is the only thing wrong.
#| set kernel k
import triton as
#|              ^~ syntax-expected-token: expected
import triton.language as tl


@triton.jit
def k(p):
    tl.store(p, 1.0)
