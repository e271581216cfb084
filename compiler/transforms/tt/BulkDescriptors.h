// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Descriptors that a launch can describe to the hardware: all that they say is known when the kernel is compiled, save where
// the tensor begins.
//
//     a = tl.make_tensor_descriptor(a_ptr, [1568, 768], [768, 1], [128, 64])
//     for begin in range(0, 768, 64):
//         total = tl.dot(a.load([row, begin]), …, total)
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::tt {

/// Whether loads of a loop are all that is done with the descriptor, each for the factor of a product that groups of warps
/// can compute, and the tensor is a parameter of the kernel. It begins at a multiple of 16 bytes, and so do its rows, which
/// lie behind each other.
bool isOfBulkLoads(MakeTensorDescOp make);

} // namespace tilescope::tt
