// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/CompileBackend.h"

#include <QElapsedTimer>

#include <set>

namespace tilescope::app {

/// Asks for a compile at every edit and gives out what comes back for the newest one. GUI thread.
class CompileController : public QObject {
  Q_OBJECT
public:
  explicit CompileController(CompileBackend *backend, QObject *parent = nullptr);

  /// The text to work on; compiles it. Another path begins anew: no old result is kept for it.
  void setText(const QString &path, std::string text);
  void setSelection(const compiler::Selection &selection);
  /// What the person chose; the launch block completes it.
  const compiler::Selection &selection() const { return m_selection; }
  /// What was written down beside the file, a part of the selection too.
  const compiler::Selection &facts() const { return m_facts; }
  /// Stages whose text some view shows.
  void setWantedStages(const std::set<compiler::StageId> &stages);
  void setPassIrWanted(bool wanted);
  /// Where imported kernels are looked up, whatever else is chosen.
  void setImportFolders(const std::vector<std::string> &folders);
  void recompile();
  /// No file is open.
  void clear();

  const compiler::CompileRequest &request() const { return m_request; }
  /// What is wrong with the launch block of the newest text.
  const std::vector<compiler::Diagnostic> &launchDiagnostics() const { return m_launchDiagnostics; }
  const CorrelationPointer &latest() const { return m_latest; }
  bool isRunning() const { return m_running; }
  /// Time since the edit that the newest compile is for.
  int64_t elapsedNs() const { return m_sinceEdit.nsecsElapsed(); }

Q_SIGNALS:
  void started();
  /// Part of the newest result, and with `done` all of it.
  void resultChanged(const tilescope::app::CorrelationPointer &result, bool done);

private:
  void submit();

  CompileBackend *m_backend;
  compiler::CompileRequest m_request;
  compiler::Selection m_selection;
  /// What Triton wrote down beside a file of IR.
  compiler::Selection m_facts;
  std::vector<compiler::Diagnostic> m_launchDiagnostics;
  compiler::WantedParts m_wanted;
  CorrelationPointer m_latest;
  QElapsedTimer m_sinceEdit;
  bool m_running = false;
};

} // namespace tilescope::app
