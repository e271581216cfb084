// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// What the annotation of a kernel's parameter says.
enum class AnnotationKind { None, Constexpr, ConstPointer, DType, Other };

struct ParameterInfo {
  std::string name;
  SourceRange range;
  AnnotationKind annotationKind = AnnotationKind::None;
  /// For DType: in Triton's notation, e.g. `i64`, `*fp16`.
  std::string dtype;
  /// Null when absent.
  const Expr *annotation = nullptr;
  const Expr *defaultValue = nullptr;
};

/// A function decorated with `@triton.jit`.
struct JitFunction {
  std::string name;
  const FunctionDef *def = nullptr;
  /// After the declared ones those that the body takes out of `**meta`: `meta["BLOCK"]`.
  std::vector<ParameterInfo> parameters;
  /// `meta` of `**meta`; empty when there is none.
  std::string_view keywords;
  /// The `configs` of `@triton.autotune`, or null.
  const Expr *autotuneConfigs = nullptr;
  /// Names in the `values` of `@triton.heuristics`, with the functions that compute them.
  std::vector<std::pair<std::string, const Expr *>> heuristics;
  bool noinline = false;
  /// Some `return` has a value: a device function, not a kernel.
  bool returnsValue = false;
  /// The names in its body, sorted.
  std::vector<std::string_view> usedNames;
  /// Another `@triton.jit` function of the file names it.
  bool usedByOthers = false;
  /// Decorators that mean nothing to Triton.
  std::vector<const Expr *> unknownDecorators;

  /// Whether it can be launched.
  bool isKernel() const { return !returnsValue; }
  const ParameterInfo *findParameter(std::string_view parameterName) const;
  /// The name of the parameter that an expression may mean: `x`, or `meta["x"]` of `**meta`. Empty
  /// for all other expressions.
  std::string_view nameMeantBy(const Node &expr) const;
};

/// `NAME = value` at module level.
struct ModuleConstant {
  std::string name;
  const Expr *value = nullptr;
  SourceRange range;
  /// Annotated `: tl.constexpr` or made by `tl.constexpr(...)`.
  bool isConstexpr = false;
};

/// What a file's names mean, read off its syntax tree without running it. Refers to nodes of the
/// tree and must not outlive it.
struct ModuleIndex {
  /// Name -> dotted path of what was imported, e.g. `tl` -> `triton.language`,
  /// `libdevice` -> `triton.language.extra.libdevice`. Import statements anywhere at module level
  /// count, also inside `if` and `try`.
  std::map<std::string, std::string, std::less<>> imports;
  std::vector<JitFunction> functions;
  /// The last assignment of each name, in source order.
  std::vector<ModuleConstant> constants;
  /// Functions that are not jitted, and classes.
  std::vector<const Stmt *> otherDefinitions;

  const JitFunction *findFunction(std::string_view name) const;
  const ModuleConstant *findConstant(std::string_view name) const;
  /// The dotted path that a name or attribute chain stands for when its first name was imported,
  /// e.g. `tl.load` -> `triton.language.load`; empty otherwise.
  std::string resolve(const Expr &expr) const;
};

ModuleIndex indexModule(const SyntaxTree &tree);

/// What a member of another module stands for when it has one of Triton's usual names: libraries
/// hand Triton on, `from pack.compat import triton, tl`. Empty for all other members.
std::string_view reexportedModule(std::string_view module, std::string_view member);

/// Whether a dotted path leads into `triton.language`; returns the rest: `load`, `math.exp`.
std::optional<std::string_view> languageMember(std::string_view path);
/// Whether it names a function of libdevice; returns its name.
std::optional<std::string_view> libdeviceMember(std::string_view path);

} // namespace tilescope::compiler::ast
