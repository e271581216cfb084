// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The `trace` dialect: include this to use its operations.
#pragma once

#include "compiler/dialects/trace/ir/TraceDialect.h.inc"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialects/trace/ir/TraceTypes.h.inc"

namespace tilescope::trace {

/// The part of global memory that nothing but the trace uses.
struct ProfileScratch : public mlir::SideEffects::Resource::Base<ProfileScratch> {
  llvm::StringRef getName() final { return "<ProfileScratch>"; }
};

/// Scopes are numbered from 1, with 16 bits.
inline constexpr int64_t kMostScopes = 65535;

} // namespace tilescope::trace

#define GET_OP_CLASSES
#include "compiler/dialects/trace/ir/TraceOps.h.inc"
