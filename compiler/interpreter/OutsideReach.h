// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What takes in values that were read outside of an array. They are 0 here, and chance on a GPU:
//
//   x = tl.load(x_ptr + i, mask=i < 2 * n, other=0.0)     reads past the end of x_ptr
//   tl.store(out_ptr, tl.sum(x))                          right here, since 0 adds nothing
//
// A run that read outside is repeated, with these elements undefined (Definedness.h), and no others: the
// stores that they reach are the answer. Where a later mask leaves them out, they reach none.
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/interpreter/PreparedKernel.h"

#include <vector>

namespace tilescope::compiler::interpreter {

class OutsideReach {
public:
  /// Before the run: keeps the contents of the arguments that a repetition would find changed.
  OutsideReach(mlir::ModuleOp module, const InterpreterLaunch &launch,
               const InterpreterOptions &options);

  /// Whether the run, which has ended, is to be repeated.
  bool isWanted(const Interpretation &result) const;
  /// Of the repetition.
  InterpreterOptions optionsAfter(const Interpretation &result) const;
  /// Puts back what the arguments held before the run.
  void begin();
  /// Whether the run, which has ended, can be repeated as often.
  bool canRepeat(const Interpretation &result, size_t times) const;
  /// Restores what the run has left.
  void restore();
  /// The same, and says in `result` which arguments take something in.
  void end(const Interpretation &repeated, Interpretation &result);

private:
  struct Argument {
    size_t index = 0;
    /// The kernel reads it, too.
    bool isKept = false;
    std::vector<std::byte> before = {}, after = {};
  };

  const InterpreterLaunch &m_launch;
  const InterpreterOptions &m_options;
  /// Those that the kernel may change; none: nothing is repeated.
  std::vector<Argument> m_changed;
};

} // namespace tilescope::compiler::interpreter
