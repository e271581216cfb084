// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/CompileController.h"
#include "app/launch/ResolveLaunch.h"

#include <QTemporaryDir>

#include <memory>

namespace tilescope::views {
class RunView;
struct RunForm;
} // namespace tilescope::views

namespace tilescope::app {

/// Connects the Run view with the launch block in the text, and with who runs it.
class RunController : public QObject {
  Q_OBJECT
public:
  RunController(CompileBackend *backend, CompileController *compile, QWidget *window);

  views::RunView *view() const { return m_view; }
  /// The text whose launch blocks the form shows.
  void setText(std::string text);
  void setResult(ResultPointer result);
  void runOnInterpreter();
  void cancel();
  bool isRunning() const { return m_running; }

Q_SIGNALS:
  /// The form wrote a value back: this is the text now.
  void sourceEdited(const QString &text);
  void placeRequested(const tilescope::SourceRange &range);
  void finished();

private:
  void connectGpu();
  void updateForm();
  void editField(const QStringList &path, const QString &text, bool quoted);
  void writeBlock();
  void showRun(const compiler::RunDoneReply &reply);

  CompileBackend *m_backend;
  CompileController *m_compile;
  views::RunView *m_view;
  std::string m_text;
  ResultPointer m_result;
  int m_launch = 0;
  bool m_running = false;
  std::unique_ptr<QTemporaryDir> m_outputs;
};

/// The form for a launch block; without one, an empty form that says so.
views::RunForm runForm(const profiler::LaunchBlocks &blocks, int current);
/// A launch block for a kernel that has none, from what the compiler assumed about it.
profiler::LaunchBlock suggestedBlock(const compiler::CompileResult &result);

} // namespace tilescope::app
