// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The `tm` dialect: include this to use its operations.
#pragma once

#include "compiler/dialects/tm/ir/TmDialect.h.inc"
#include "compiler/dialects/tm/ir/TmEnums.h.inc"

#include "llvm/ADT/StringMap.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/tm/ir/TmAttrs.h.inc"

#define GET_OP_CLASSES
#include "compiler/dialects/tm/ir/TmOps.h.inc"

namespace tilescope::tm {

/// The element that a constant has everywhere; null: the value is computed, or its elements differ.
mlir::Attribute splatElement(mlir::Value value);

} // namespace tilescope::tm
