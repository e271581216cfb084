// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The functions of the source, as far as a user wants to know them: those of the library are not
// among them.
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/StepState.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tilescope::compiler {

namespace ast {
struct Expr;
struct SyntaxTree;
} // namespace ast

class SourceFunctions {
public:
  /// The files stay where they are. `kernel`: what the document is called where it has no functions.
  SourceFunctions(const std::vector<SourceFile> &files, std::string kernel);
  ~SourceFunctions();

  /// The calls that lead to a place, which is given with its callers: the innermost first. Of places
  /// that one operation was made of, the first in a function counts.
  std::vector<StepFrame> callsTo(const std::vector<SourceRange> &places) const;
  /// `name = value`, or several names.
  struct Assignment {
    std::vector<std::string> names;
    SourceRange value;
  };
  /// What a call passes: each parameter with the caller's variable, or a constant; without those that
  /// are neither.
  struct Parameter {
    std::string name;
    std::string variable;
    std::string constant;
  };
  std::vector<Parameter> parametersOf(const StepFrame &function, const StepFrame &caller) const;
  /// The innermost whose value a place is in; null: there is none.
  const Assignment *assignmentAt(const SourceRange &place) const;
  /// Whether a name of a function is bound again by a line that computes nothing, such as `i = 0`:
  /// operations alone do not tell then which of its values it has.
  bool isRebound(const StepFrame &function, const std::string &name) const;
  /// Whether the document is a kernel file; else values have the names that the IR gives them.
  bool hasFunctions() const { return !m_functions.empty() && !m_functions.front().empty(); }
  /// Where those of the document are; one inside of another comes behind it.
  std::vector<SourceRange> ownFunctions() const;
  /// Whether a user wrote the text of the place.
  bool isOwn(const SourceRange &range) const;
  /// The name of the variable that a value of the IR was called after; empty: none.
  std::string variableOf(std::string ssa) const;
  /// The text of a place, if it is short.
  std::string textOf(const SourceRange &range) const;

private:
  struct Function {
    std::string name;
    SourceRange range;
    std::vector<std::string> parameters;
  };
  struct Call {
    SourceRange range;
    std::string function;
    /// By position, then by name.
    std::vector<Parameter> arguments;
  };
  std::string functionAt(const SourceRange &range) const;
  /// `value`: null where a loop or an operator binds the target.
  void noteBinding(const ast::Expr *target, const ast::Expr *value, SourceRange place,
                   uint32_t file);
  void read(uint32_t file, const std::string &text);

  const std::vector<SourceFile> &m_files;
  std::string m_kernel;
  /// By file.
  std::vector<std::vector<Function>> m_functions;
  std::vector<std::vector<Assignment>> m_assignments;
  std::vector<std::vector<Call>> m_calls;
  std::set<std::string, std::less<>> m_words;
  /// Names with their file and function.
  std::set<std::string> m_bound, m_rebound;
};

} // namespace tilescope::compiler
