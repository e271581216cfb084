// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"

#include <QTimer>

#include <functional>
#include <vector>

namespace tilescope::app {

/// Compiles beside that of the document, one after the other, while that one rests: it goes first,
/// and whatever it cuts short is begun anew behind it. GUI thread.
class SideCompiles : public QObject {
  Q_OBJECT
public:
  /// Gets the result, whole or up to what failed.
  using Take = std::function<void(const CorrelationPointer &result)>;

  SideCompiles(CompileBackend *backend, CompileController *compile, QObject *parent);

  /// Compiles a request, whose revision is not used, once it is its turn; in place of an earlier one
  /// of that key. `isHurried`: the user waits for it; else it begins when typing pauses.
  void ask(const std::string &key, compiler::CompileRequest request,
           const compiler::WantedParts &wanted, bool isHurried, Take take);
  /// The same for what cannot wait until the document is compiled: that is cut short, and begun anew behind it.
  void askNow(const std::string &key, compiler::CompileRequest request,
              const compiler::WantedParts &wanted, Take take);
  /// Nobody waits for it any longer.
  void drop(const std::string &key);
  bool isAsked(const std::string &key) const;

Q_SIGNALS:
  /// Something is to be compiled, or nothing any longer: others who use the time when nothing is
  /// compiled wait meanwhile.
  void busyChanged(bool isBusy);

private:
  struct Job {
    std::string key;
    compiler::CompileRequest request;
    compiler::WantedParts wanted;
    Take take;
  };
  /// Whether there was one. The document is not compiled on.
  bool erase(const std::string &key);
  void advance();
  void take(const CorrelationPointer &result);
  void tellBusy();

  CompileBackend *m_backend;
  CompileController *m_compile;
  /// The first is under way if `m_revision` is not 0.
  std::vector<Job> m_jobs;
  uint64_t m_revision = 0;
  uint64_t m_numCompiles = 0;
  bool m_isBusy = false;
  /// Runs down while the user does not type.
  QTimer m_idle;
};

} // namespace tilescope::app
