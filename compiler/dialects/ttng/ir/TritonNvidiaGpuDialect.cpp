// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuOps.cpp.inc"

namespace tilescope::ttng {

namespace {
/// Everything may be inlined.
struct InlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void TTNGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuOps.cpp.inc"
      >();
  addInterfaces<InlinerInterface>();
}

} // namespace tilescope::ttng
