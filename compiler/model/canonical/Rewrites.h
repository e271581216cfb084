// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/canonical/Canonicalize.h"

#include "mlir/IR/Builders.h"

namespace tilescope::model {

/// What a rule may use, and where it says what it did.
struct RewriteContext {
  mlir::OpBuilder builder;
  const WeightBytes &bytes;
  compiler::ModelResult &result;

  /// Replaces a result by a value, and says why. The operation goes with what else nothing uses.
  void replace(mlir::Operation *operation, mlir::Value value, const char *rule,
               const std::string &message);
};

/// Rules: whether the operation was rewritten. An operation without uses may stay behind.
bool removeIdentity(mlir::Operation *operation, RewriteContext &context);
bool foldConstant(mlir::Operation *operation, RewriteContext &context);
bool simplifyProduct(mlir::Operation *operation, RewriteContext &context);
bool takeRotatedHalves(mlir::Operation *operation, RewriteContext &context);
bool takeSafeSoftmax(mlir::Operation *operation, RewriteContext &context);
bool foldIntoConvolution(mlir::Operation *operation, RewriteContext &context);

} // namespace tilescope::model
