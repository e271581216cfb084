// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/TensorMemoryNote.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/MlirDiagnostics.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilescope::compiler {

/// What one `tcgen05.mma` takes along K, and the sides of results that Triton gives to it.
static constexpr int64_t kDepthBits = 256, kRows = 64, kColumns = 16;

static bool hasTensorMemory(const TargetSpec &target) { return target.capability / 10 == 10; }

/// The products that Triton lays out in tensor memory.
static bool fitsTensorMemory(tt::DotOp dot) {
  const auto left = cast<RankedTensorType>(dot.getA().getType());
  const auto right = cast<RankedTensorType>(dot.getB().getType());
  const RankedTensorType result = dot.getType();
  const Type factor = left.getElementType();
  const unsigned bits = tt::getElementBitWidth(left);
  const bool areFloats = isa<FloatType>(factor) && isa<FloatType>(right.getElementType()) &&
                         isa<FloatType>(result.getElementType());
  const bool isRounded =
      bits <= 16 || (bits == 32 && dot.getInputPrecision() == tt::InputPrecision::TF32);
  return areFloats && isRounded && result.getRank() == 2 &&
         left.getShape().back() * bits >= kDepthBits && result.getDimSize(0) % kRows == 0 &&
         result.getDimSize(1) % kColumns == 0;
}

void noteTensorMemory(CompileJob &job, ModuleOp module, const KernelOptions &options) {
  // Other groups of warps do not reach all of its rows.
  if (!hasTensorMemory(options.target) || (options.numWarps != 4 && options.numWarps != 8))
    return;
  SmallVector<tt::DotOp> products;
  module.walk([&](tt::DotOp dot) {
    if (fitsTensorMemory(dot))
      products.push_back(dot);
  });
  if (products.empty())
    return;
  DiagnosticCollector collector(*job.state.context, DiagnosticKind::UnsupportedFeature, job.files,
                                job.result.diagnostics);
  InFlightDiagnostic note = mlir::emitRemark(products.front().getLoc());
  note << "`tl.dot` is compiled to `mma.sync`: Triton uses `tcgen05` on `" + options.target.name() +
              "`, so registers, shared memory and times differ";
  if (products.size() > 1)
    note.attachNote() << "the same for " + std::to_string(products.size() - 1) + " more " +
                             (products.size() == 2 ? "product" : "products");
}

} // namespace tilescope::compiler
