// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A kernel that is stepped through is compiled with the bindings of its names, which keep operations
// that the kernel itself has lost. Which operation of the text that the user sees is which:
//
//   executed                          shown
//   %x = tt.load %p                   %x = tt.load %p
//   tt.print "a" {tt.binding} : %x    (none)
//   %c = arith.addi %n, %c0           (none)
//   tt.store %q, %x                   tt.store %q, %x
#pragma once

#include "compiler/artifacts/Stage.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace tilescope::compiler {

class ShownOperations {
public:
  /// A kernel read from the text of a stage; both stay where they are.
  struct Text {
    mlir::ModuleOp module;
    const Stage &stage;
  };
  /// Operations are the same that have one name and one place in the source, the first of these
  /// being the first.
  ShownOperations(const Text &executed, const Text &shown);

  /// Of an operation that is executed, or of a copy of it. Null: it is not shown.
  mlir::Operation *of(mlir::Operation *executed) const;
  mlir::Value of(mlir::Value executed) const;

private:
  /// By line and name in the text that is executed.
  std::map<std::pair<uint32_t, std::string>, mlir::Operation *> m_shown;
};

} // namespace tilescope::compiler
