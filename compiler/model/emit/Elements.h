// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/Expressions.h"

namespace tilescope::model {

/// Pointwise operations and movements.
GroupKernel emitElements(const Group &group);

/// Stores all outputs at the places of the space; false: the expressions' `reason` says why not. `anchor`: what the places
/// are those of; null: of the outputs.
bool storeOutputs(const Group &group, Expressions &expressions, size_t space, const Space &places,
                  EmittedKernel &kernel, mlir::Value anchor);

} // namespace tilescope::model
