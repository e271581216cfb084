// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The classes that ODS generates; verifiers and folds are in the files of their families.
#include "compiler/dialects/tt/ir/CachePolicy.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "compiler/dialects/tt/ir/TritonOps.cpp.inc"
