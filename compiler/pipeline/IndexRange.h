// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an index of an address may be in one program, read off the source:
//
//     rows = tl.program_id(0) * 32 + tl.arange(0, 32)        in program 3: a block, 96…127
#pragma once

#include "compiler/syntax/Ast.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tilescope::compiler {

/// The integers that a launch gives a kernel, by name.
struct KernelSizes {
  std::map<std::string, int64_t> arguments;
  std::map<std::string, int64_t> constexprs;
  std::optional<int64_t> value(std::string_view name) const;
};

struct IndexSpan {
  int64_t first = 0;
  int64_t last = 0;
};

/// Reads what a function computes before one of its accesses, in one program. Refers to what it is
/// made of.
class IndexReader {
public:
  IndexReader(const ast::Node &function, Position access, std::array<int32_t, 3> program,
              const KernelSizes &sizes)
      : m_function(function), m_access(access), m_program(program), m_sizes(sizes) {}

  /// What the function gives a name, once and for all; null for parameters and what it changes.
  const ast::Expr *valueOf(const ast::Expr &name) const;
  /// Nothing where the source does not show it.
  std::optional<IndexSpan> range(const ast::Expr &expr, int depth = 0) const;
  /// Of `start + tl.arange(0, BLOCK)`, or of a name of it, in a loop `for start in range(begin, end, step)`
  /// around the access: the loop's end. Null for all else.
  const ast::Expr *loopEnd(const ast::Expr &expr) const;
  /// Whether the code, or what its names stand for, has a call of that function of the language.
  bool calls(const ast::Expr &expr, std::string_view function, int depth = 0) const;
  /// Whether it is laid out along an axis of a matrix: `rows[:, None]`.
  bool hasAxis(const ast::Expr &expr, int depth = 0) const;
  /// Whether a constexpr is the extent of a block, as `BLOCK` in `tl.arange(0, BLOCK)`.
  bool isBlockExtent(std::string_view name) const;
  const KernelSizes &sizes() const { return m_sizes; }

private:
  std::optional<IndexSpan> callRange(const ast::Call &call, int depth) const;
  std::optional<IndexSpan> loopRange(const ast::Name &name, int depth) const;
  /// What a name was given last in front of the access, without its axes; `expr` itself for all else.
  const ast::Expr *lastValue(const ast::Expr &expr) const;

  const ast::Node &m_function;
  Position m_access;
  std::array<int32_t, 3> m_program;
  const KernelSizes &m_sizes;
  /// How many names are still looked up: names may stand for names many times over.
  mutable int m_budget = 2000;
};

} // namespace tilescope::compiler
