// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"

#include <QTimer>

#include <string_view>

namespace tilescope::app {

/// Has the worker look for hints once a compile has ended and the user pauses. The next key stops
/// it; what was found before moves along with its lines until there is something newer. GUI thread.
class HintController : public QObject {
  Q_OBJECT
public:
  HintController(CompileBackend *backend, CompileController *compile, QObject *parent);

  /// The hints of the document's kernel, at their places in `text`. Those of lines that were edited
  /// since are left out, and the others say that they are outdated.
  std::vector<compiler::Hint> hints(std::string_view text) const;
  /// What a launch of the document's kernel takes, if that was worked out of this very text; null:
  /// it was not, or the text was edited since.
  const compiler::Estimate *estimate(std::string_view text) const;
  /// What was counted of that launch; null in the same cases.
  std::shared_ptr<const compiler::MemoryFacts> facts(std::string_view text) const;

Q_SIGNALS:
  void changed();

private:
  /// The newest result is there to its end, and says how the kernel is launched.
  bool isReady() const;
  void ask();
  void take(const InspectionPointer &reply);
  /// What there is belongs to this result from now on.
  void keep(std::vector<compiler::Hint> hints, compiler::Estimate estimate,
            std::shared_ptr<const compiler::MemoryFacts> facts);
  /// What is kept is of this very text, and of the kernel that is shown.
  bool isOf(std::string_view text) const;

  CompileBackend *m_backend;
  CompileController *m_compile;
  /// Runs down while the user pauses.
  QTimer m_pause;
  /// What the worker is asked for; 0: nothing.
  compiler::JobId m_job = 0;
  uint64_t m_askedRevision = 0;
  std::vector<compiler::Hint> m_hints;
  compiler::Estimate m_estimate;
  std::shared_ptr<const compiler::MemoryFacts> m_facts;
  /// What both are of.
  const QObject *m_file = nullptr;
  std::string m_kernel;
  std::string m_text;
};

} // namespace tilescope::app
