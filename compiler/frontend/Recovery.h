// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Emitter.h"

#include <utility>

namespace tilescope::compiler::frontend {

/// Evaluates the independent parts of a statement, so that an error in one part does not hide the
/// errors in the others:
///
///     tl.store(out + ofs, vaule, maks=mask)      # three errors
///
/// Expressions at the top level of a file fail at once: the code that asked for their value says
/// what it means. So do those of functions that come along with the compiler: the error is the call.
class Recovery {
public:
  explicit Recovery(Emitter &emitter) : m_emitter(emitter) {}

  /// What `part` returns; poison when it failed, which has been reported then.
  template <typename F> Value value(F &&part) {
    const Frame &frame = m_emitter.frame();
    if (frame.isModuleLevel || (frame.module && frame.module->isPrelude))
      return std::forward<F>(part)();
    try {
      return std::forward<F>(part)();
    } catch (const Failure &failure) {
      m_emitter.report(failure.diagnostic);
    } catch (const PoisonUsed &) {
    }
    m_hasFailed = true;
    return Value::poison();
  }
  Value value(const ast::Expr &expr) {
    return value([&] { return m_emitter.evaluate(expr); });
  }

  /// Ends the statement when a part failed.
  void finish() const {
    if (m_hasFailed)
      throw PoisonUsed{};
  }

private:
  Emitter &m_emitter;
  bool m_hasFailed = false;
};

/// Of a call whose arguments must all be there.
inline bool hasPoison(const std::vector<CallArgument> &arguments) {
  return llvm::any_of(arguments,
                      [](const CallArgument &argument) { return argument.value.isPoison(); });
}

} // namespace tilescope::compiler::frontend
