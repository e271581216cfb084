// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "views/run/RunView.h"

#include <QObject>
#include <QStringList>

#include <memory>
#include <vector>

class QJsonObject;
class QProcess;
class QTemporaryDir;

namespace tilescope::app {

/// What came of a run.
struct GpuRunOutcome {
  /// A line for the person.
  QString text;
  bool ok = false;
  /// What the kernel wrote.
  std::vector<views::RunOutputTensor> outputs;
  /// What was found wrong with the kernel or its launch block, with places in the text that was
  /// run.
  std::vector<compiler::Diagnostic> findings;
};

/// Runs launches on the GPUs of this machine: the program's own command line compiles, launches,
/// measures and compares with the interpreter in a process of its own, and says in JSON what came
/// of it.
class GpuRun : public QObject {
  Q_OBJECT
public:
  explicit GpuRun(QObject *parent = nullptr);
  ~GpuRun() override;

  /// Looks for devices; `devicesFound` follows when there are any.
  void findDevices();
  /// Runs the request's text as `chosen` by the person; its launch block says the rest.
  void run(int device, const compiler::CompileRequest &request, const compiler::Selection &chosen);
  void cancel();
  bool isRunning() const { return m_process != nullptr; }

Q_SIGNALS:
  void devicesFound(const QStringList &names);
  void finished(const tilescope::app::GpuRunOutcome &outcome);

private:
  void collect(int exitCode);

  QProcess *m_process = nullptr;
  std::unique_ptr<QTemporaryDir> m_folder;
  /// By which messages name what is run.
  QString m_source;
  bool m_cancelled = false;
};

/// The arguments of `profile` for a kernel that was written to a file: everything that the person
/// chose and the file does not say.
struct GpuRunFiles {
  /// What is run.
  QString file;
  /// The document that it is a copy of; may be empty.
  QString source;
  QString dumpFolder;
  /// Whether the interpreter can run it too: kernel files and TTIR.
  bool isComparable = true;
};
QStringList runArguments(const GpuRunFiles &files, int device, const compiler::Selection &chosen);
/// `12.4 µs (median of 100, 11.9 to 14.0) · 1240 GB/s · …` from what `profile --json` prints.
QString runSummary(const QJsonObject &measurement);
/// The diagnostics of the same document; places in other files than `file` are named in the
/// message.
std::vector<compiler::Diagnostic> runFindings(const QJsonObject &measurement, const QString &file);
/// How one output compares with the interpreter, from its entry in the same document.
QString outputRemark(const QJsonObject &output);

} // namespace tilescope::app
