// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Value.h"

#include <string>

namespace tilescope::compiler {

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
  const std::string &constraints() const { return m_constraints; }
  llvm::ArrayRef<mlir::Value> operands() const { return m_operands; }

private:
  llvm::SmallVector<mlir::Value> m_operands;
  std::string m_constraints;
  int m_next = 0;
};

/// Registers as an instruction lists them: `{ $0, $1 }`, or `$0` alone.
inline std::string registerList(llvm::ArrayRef<std::string> names) {
  return names.size() == 1 ? names.front() : "{ " + llvm::join(names, ", ") + " }";
}

} // namespace tilescope::compiler
