// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/CompileController.h"
#include "compiler/frontend/Configurations.h"

#include <QTemporaryDir>

#include <memory>

namespace tilescope::profiler {
struct LaunchBlock;
} // namespace tilescope::profiler

namespace tilescope::views {
class RunView;
} // namespace tilescope::views

namespace tilescope::app {

class GpuRun;

/// Connects the Run view with the launch block in the text, and with who runs it.
class RunController : public QObject {
  Q_OBJECT
public:
  RunController(CompileBackend *backend, CompileController *compile, QWidget *window);

  views::RunView *view() const { return m_view; }
  /// The document whose launch blocks the form shows; null when no file is open.
  void setDocument(DocumentPointer document);
  void setResult(ResultPointer result);
  /// No file is open.
  void clear();
  void runOnInterpreter();
  /// Runs where the form says.
  void run();
  void cancel();
  bool isRunning() const { return m_running; }
  /// What `@triton.autotune` of the kernel offers, one line each; the first entry of a kernel with
  /// a launch block leaves the choice to that.
  QStringList configurationTitles() const;
  /// Index among the titles of what is compiled; -1: something that is not among them.
  int chosenConfiguration() const;
  void chooseConfiguration(int index);

Q_SIGNALS:
  /// The form wrote a value back: this is the text now.
  void sourceEdited(const QString &text);
  void placeRequested(const tilescope::SourceRange &range);
  void finished();
  /// The GPUs of this machine, by name.
  void devicesFound(const QStringList &names);

private:
  void connectGpu();
  void updateForm();
  void editField(const QStringList &path, const QString &text);
  void writeBlock(const profiler::LaunchBlock &block);
  void editAssumption(const QString &table, const QString &name, const std::string &value);
  /// The arguments whose value is known: from the launch block, or assumed.
  std::map<std::string, std::string> knownArguments() const;
  void updateConfigurations();
  void showRun(const compiler::RunDoneReply &reply);

  CompileBackend *m_backend;
  CompileController *m_compile;
  views::RunView *m_view;
  DocumentPointer m_document;
  ResultPointer m_result;
  std::vector<compiler::Configuration> m_configurations;
  bool m_running = false;
  /// A run begins as soon as the newest compile says which launch it is.
  bool m_isRunWaiting = false;
  GpuRun *m_gpu;
  std::unique_ptr<QTemporaryDir> m_outputs;
};

} // namespace tilescope::app
