// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"

namespace tilescope::ttg {

/// How a block laid out like `source` lies in shared memory so that a factor of a dot is read from
/// there without bank conflicts.
SwizzledSharedEncodingAttr operandBufferEncoding(mlir::RankedTensorType source,
                                                 DotOperandEncodingAttr operand);
/// Rows one after the other, in the order in which the block's threads walk them.
SwizzledSharedEncodingAttr plainBufferEncoding(mlir::RankedTensorType source);

/// Bytes of shared memory that a thread block may use.
/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
int64_t sharedMemoryLimit(int capability);

} // namespace tilescope::ttg
