// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where the values of a kernel come from, read off its syntax: through local variables back to
// parameters.
//
//   rows = pid * BLOCK + tl.arange(0, BLOCK)
//   p = x_ptr + rows * stride          `p` is an address: `x_ptr` is what it begins with,
//   y = tl.load(p)                     `stride` an integer; `y` holds what `x_ptr` points to
#pragma once

#include "compiler/inference/ParameterUses.h"

#include <set>

namespace tilescope::compiler::inference {

/// What kind of value an expression has. Ordered: a mixture is the greatest.
enum class Flow { Unknown, Index, Data, Address };

class ValueFlow {
protected:
  ValueFlow(const ast::ModuleIndex &index, const ast::JitFunction &kernel)
      : m_index(index), m_kernel(kernel) {}

  ParameterUse *parameterOf(const ast::Expr *expr);
  std::string languageCall(const ast::Call &call) const;
  static const ast::Expr *argument(const ast::Call &call, size_t position, std::string_view name);
  void define(const ast::Expr *target, const ast::Expr *value);
  void collectDefinition(const ast::Node &node);
  /// The terms of the sum that an address is, leftmost first, looked up through local variables.
  void addressTerms(const ast::Expr *expr, std::vector<std::string_view> &terms);
  static bool soundsLikePointer(std::string_view name);
  /// The parameter that an address begins with, or null.
  ParameterUse *pointerOf(const ast::Expr *address);
  /// What a name was given last before it is used; null where it is not known, or was added to.
  const ast::Expr *lastDefinition(const ast::Name &use) const;
  /// `fp16` for `x.to(tl.float16)`, and for a name that was given it.
  std::string castTypeOf(const ast::Expr *expr) const;
  /// `i32` for integers that are made of counters, numbers of programs and blocks of integers, `i1` for conditions;
  /// empty for all that may be something else.
  std::string storedType(const ast::Expr *expr);
  Flow flowOfCall(const ast::Call &call);
  Flow flowOf(const ast::Expr *expr);
  /// The parameters whose loaded values an expression holds.
  void markLoaded(const ast::Expr *expr, bool ParameterUse::*flag);
  /// The parameters that an expression is computed from.
  void mark(const ast::Expr *expr, bool ParameterUse::*flag);
  /// Whether an expression is true or false per element: a comparison, or made of such.
  bool isBoolean(const ast::Expr *expr);
  bool isLanguageType(const ast::Expr *expr, std::string_view name) const;
  /// Whether some definition of a name is `tl.zeros(..., dtype=tl.int32)`.
  bool isInt32Sum(const ast::Expr *expr) const;
  /// Whether a name is first an integer, so that nothing else may be added to it.
  bool startsAsInteger(const ast::Expr *expr) const;
  /// Whether a product is summed up in `int32`.
  bool sumsIntegers(const ast::Call &dot) const;
  /// `tl.pointer_type(...)`
  bool isPointerType(const ast::Expr *expr) const;
  /// The parameters that an integer is computed from: offsets, bounds of loops, divisors.
  void markIndexMath(const ast::Expr *expr, int depth = 0);
  /// Whether an index is made of a fraction and a number of bins, which is an integer then.
  bool markBins(const ast::Call *call);
  /// Values that were loaded and are added to an address are indices.
  void markIndices(const ast::Expr *address);
  /// The constexpr parameter by whose multiples an offset moves: `k * BLOCK_K`.
  std::string extentOf(const ast::Expr *offset);

  const ast::ModuleIndex &m_index;
  const ast::JitFunction &m_kernel;
  std::map<std::string, ParameterUse, std::less<>> m_uses;
  std::map<std::string_view, std::vector<const ast::Expr *>> m_definitions;
  std::set<std::string_view> m_counters;
  std::vector<const ast::AugAssign *> m_sums;
  std::map<std::string_view, const ast::For *> m_loops;
  /// Names that stand for integers.
  std::set<std::string_view> m_integers;
  std::map<std::string_view, Flow> m_flows;

private:
  std::string integerType(const ast::Expr *expr);
  std::string integerTypeOfCall(const ast::Call &call);
  std::string integerTypeOfName(const ast::Name &name);
  /// Names whose type is known, or being found.
  std::map<std::string_view, std::string> m_typed;

  /// Names with the flags that were passed on through them. Each is followed once, however many
  /// ways lead to it: there may be exponentially many.
  class Marks {
  public:
    /// Whether it is new.
    bool add(std::string_view name, bool ParameterUse::*flag);

  private:
    std::map<std::string_view, std::vector<bool ParameterUse::*>> m_flags;
  };
  Marks m_loadedMarks;
  Marks m_computedMarks;
  std::set<std::string_view> m_indexMarks;
  /// Of the address that is being taken apart.
  std::set<std::string_view> m_addressed;
  /// What is known about names.
  std::map<std::string_view, bool> m_booleans;
  std::map<std::string_view, std::string> m_extents;
};

} // namespace tilescope::compiler::inference
