// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelKernelForm.h"
#include "compiler/model/emit/Group.h"

namespace tilescope::model {

/// Whether an element of the result takes many of the operand along some axes.
bool isReduction(mlir::Operation *operation);

compiler::ModelKernelForm kernelForm(const Group &group);

/// Floating-point operations of one launch: two for each product of a sum, one for each element that is
/// computed, none for those that only move. All shapes are numbers.
uint64_t flopsOf(const Group &group);

/// Whether the operations of the group behind a product read another tensor with as many elements as its result has, or
/// compute a function of many instructions.
bool hasWorkBehind(mlir::Operation *product, const Group &group);

} // namespace tilescope::model
