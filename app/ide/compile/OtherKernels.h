// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"

#include <QTimer>

namespace tilescope::app {

/// Holds the diagnostics of the current file's kernels other than the compiled one: while nothing
/// else is to do, each is compiled as far as TTIR. The findings of a kernel's last compile hold
/// until the text of the kernel changes, wherever it moves.
class OtherKernels : public QObject {
  Q_OBJECT
public:
  OtherKernels(CompileBackend *backend, CompileController *compile, QObject *parent);

  /// Errors within those kernels, each naming its kernel. Ranges are of the document.
  std::vector<compiler::Diagnostic> errors() const;
  /// While the compiler is needed for something that the user waits for, nothing is checked.
  void setHeld(bool isHeld);

Q_SIGNALS:
  /// `errors` returns something else.
  void changed();

private:
  struct Known {
    std::string text;
    uint32_t line = 0;
    std::vector<compiler::Diagnostic> errors;
    /// The text of the whole file that was compiled.
    std::shared_ptr<const KernelSource> source;
  };
  using KnownKernels = std::map<std::string, Known>;

  void record(const std::string &kernel, const compiler::CompileResult &result);
  void begin();
  void checkNext();
  void stop();

  bool m_isHeld = false;
  CompileBackend *m_backend;
  CompileController *m_compile;
  /// By open file, then by name.
  std::map<const QObject *, KnownKernels> m_known;
  /// Runs down while the user does not type.
  QTimer m_idle;
  std::vector<std::string> m_waiting;
  std::string m_checked;
  /// Of the running check; 0: there is none.
  uint64_t m_revision = 0;
  uint64_t m_numChecks = 0;
};

} // namespace tilescope::app
