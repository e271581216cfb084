// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/LinearLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Types.h"

#include <memory>
#include <mutex>

namespace tilescope::ttg {

/// The layouts of all types of a context that were asked for. Lives as long as the dialect.
class LayoutCache : public mlir::DialectInterface::Base<LayoutCache> {
public:
  explicit LayoutCache(mlir::Dialect *dialect) : Base(dialect) {}

  const compiler::LinearLayout &find(mlir::Type type, llvm::ArrayRef<int64_t> shape,
                                     mlir::Attribute encoding) const;

private:
  // The verifier checks functions in parallel.
  mutable std::mutex m_mutex;
  mutable llvm::DenseMap<mlir::Type, std::unique_ptr<compiler::LinearLayout>> m_layouts;
};

} // namespace tilescope::ttg
