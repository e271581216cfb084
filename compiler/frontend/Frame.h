// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Modules.h"
#include "compiler/frontend/Scope.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::frontend {

/// One argument of a call: its value and its place.
struct CallArgument {
  Value value;
  SourceRange range;
  /// Of a keyword argument.
  std::string_view keyword;
};

/// The activation of one function.
struct Frame {
  const SourceModule *module = nullptr;
  const ast::FunctionDef *function = nullptr;
  Frame *caller = nullptr;
  /// Where the caller calls; valid when there is a caller.
  SourceRange callRange;
  std::optional<mlir::Location> callLocation;
  Scope locals;
  /// Names declared without a value, `x: tl.constexpr`.
  llvm::StringSet<> declaredConstexprs;
  /// The statement that defined each constexpr: repeated by an unrolled loop, it may define it
  /// again.
  llvm::StringMap<const ast::AnnAssign *> constexprDefinitions;
  bool isUnrolled(std::string_view name, const ast::AnnAssign &definition) const {
    return constexprDefinitions.lookup(name) == &definition;
  }
  /// Runs while compiling: assignments keep constexprs as they are.
  bool isCompileTime = false;
  /// Names of globals may be read freely: default arguments and top-level expressions.
  bool isModuleLevel = false;
  /// Of the `__init__` of an aggregate: fields of the first parameter may be assigned.
  bool isConstructor = false;
  /// Run-time loops around the statement being emitted.
  int loopDepth = 0;
  int depth = 0;
};

} // namespace tilescope::compiler::frontend
