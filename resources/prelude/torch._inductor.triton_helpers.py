# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
#
# Where older versions of PyTorch's compiler have its helpers.

from torch._inductor.runtime.triton_helpers import *
