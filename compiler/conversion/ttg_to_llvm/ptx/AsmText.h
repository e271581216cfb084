// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"

#include "llvm/ADT/StringExtras.h"

#include <string>

namespace tilescope::compiler::ptx {

/// The text of an instruction with its operands, numbered as they are added; results come first.
class AsmText {
public:
  std::string addResult(char constraint) {
    m_constraints += (m_constraints.empty() ? "=" : ",=") + std::string(1, constraint);
    return "$" + std::to_string(m_next++);
  }
  std::string addOperand(mlir::Value value, char constraint) {
    m_operands.push_back(value);
    m_constraints += (m_constraints.empty() ? "" : ",") + std::string(1, constraint);
    return "$" + std::to_string(m_next++);
  }
  /// `@$0 `, where there is a predicate.
  std::string addPredicate(mlir::Value predicate) {
    return predicate ? "@" + addOperand(predicate, 'b') + " " : "";
  }
  /// `[$1]`: an address within shared or tensor memory.
  std::string addAddress(mlir::Value value) { return "[" + addOperand(value, 'r') + "]"; }

  /// Emits `code`, one instruction or a block in braces, with what it needs at its end.
  mlir::Value emit(Builder &b, std::string code, mlir::Type result = {},
                   AsmOptions options = {}) const {
    if (!llvm::StringRef(code).ends_with("}") || llvm::StringRef(code).front() != '{')
      code += ";";
    return inlineAsm(b, code, m_constraints, result, m_operands, options);
  }

private:
  llvm::SmallVector<mlir::Value> m_operands;
  std::string m_constraints;
  int m_next = 0;
};

/// Registers as an instruction lists them: `{ $0, $1 }`, or `$0` alone.
inline std::string registerList(llvm::ArrayRef<std::string> names) {
  return names.size() == 1 ? names.front() : "{ " + llvm::join(names, ", ") + " }";
}

} // namespace tilescope::compiler::ptx
