// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Rewrites a model to fewer and plainer operations that compute the same:
//
//   conv, batch_norm, identity, mul by 1     becomes     conv with other weights and a bias
//
// Each rewrite adds a `ModelRewrite`, which names the node that went and says what became of it.
#pragma once

#include "compiler/artifacts/ModelResult.h"
#include "compiler/model/canonical/ConstantReals.h"

namespace tilescope::model {

/// Until nothing changes. Extents may be symbolic.
void canonicalize(mlir::func::FuncOp function, const WeightBytes &bytes,
                  compiler::ModelResult &result);

} // namespace tilescope::model
