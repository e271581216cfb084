// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// With which argument types and constants a kernel is compiled: what the selection says, and what is
// assumed where it says nothing.
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/Frontend.h"

namespace tilescope::compiler::frontend {

/// Options of the selection as constexprs, `num_warps` and the like always present. Malformed ones
/// are reported in `result`.
std::map<std::string, Value> kernelOptions(const Selection &selection, EmittedModule &result);

/// The parts of target and options that affect the IR.
TargetRules targetRules(const Selection &selection, const std::map<std::string, Value> &options);

/// Decides every parameter. Diagnostics go to the emitter; what was used and assumed into `result`.
std::vector<KernelArgument> specialize(Emitter &emitter, const FunctionObject &function,
                                       const Selection &selection, EmittedModule &result);

/// The parameters that arguments bind to by position or name, in order.
std::vector<const ast::Arg *> parametersOf(const ast::FunctionDef &function);

/// Whether the annotation of a parameter or variable is `tl.constexpr`.
bool isConstexprAnnotation(const SourceModule &module, const ast::Expr *annotation);

} // namespace tilescope::compiler::frontend
