// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The encodings of `ttg` as attributes. What they mean is said by compiler/layout/Encodings.h; here
// is only their notation.
#pragma once

#include "compiler/layout/LinearLayout.h"

#include "llvm/ADT/Hashing.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tilescope::compiler {
inline llvm::hash_code hash_value(const LinearLayout &layout) { return layout.hash(); }
} // namespace tilescope::compiler

namespace tilescope::ttg {
class CgaLayoutAttr;
} // namespace tilescope::ttg

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/ttg/ir/TritonGpuAttrs.h.inc"

namespace tilescope::ttg {

/// Whether the encoding spreads elements over registers of threads.
bool isDistributedEncoding(mlir::Attribute encoding);
/// Whether the encoding places elements in shared memory.
bool isSharedEncoding(mlir::Attribute encoding);
/// Number of dimensions of the tensors that the encoding fits.
unsigned getEncodingRank(mlir::Attribute encoding);
/// How the blocks of a cluster divide a tensor with this encoding.
CgaLayoutAttr getCgaLayout(mlir::Attribute encoding);
/// What one thread block holds of a tensor of this shape.
llvm::SmallVector<int64_t> getShapePerCta(CgaLayoutAttr cga, llvm::ArrayRef<int64_t> shape);
/// The cluster as a map from `block` to the tensor's dimensions.
compiler::LinearLayout getClusterLayout(CgaLayoutAttr cga);

} // namespace tilescope::ttg
