// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/sweep/SweepBackend.h"

namespace tilescope::views {
class SweepView;
} // namespace tilescope::views

namespace tilescope::app {

/// The sweeps of open files: made here, or opened. Each is shown while its file is, and called
/// outdated as soon as it is of another text or kernel.
class SweepController : public QObject {
  Q_OBJECT
public:
  SweepController(SweepBackend *backend, CompileController *compile, RunController *run,
                  QWidget *window);

  views::SweepView *view() const { return m_view; }
  /// Sweeps over what the document's launch block and its tuner offer, where the Run form says.
  void start();
  void stop();
  bool isRunning() const { return m_running.has_value(); }
  /// Shows a sweep that was made elsewhere for an open file; `place`: where it is from.
  void keepOpened(const QObject *file, const profiler::Sweep &sweep, const QString &place);
  /// A file was closed.
  void forget(const QObject *file);
  /// The current file's text with the winner's values; nothing: it cannot be written, as the view
  /// says.
  std::optional<std::string> textWithWinner();
  /// The current file's text with a table of values to try; nothing: it has no launch block.
  std::optional<std::string> textWithTable() const;
  /// The table is there: there is something to sweep now.
  void noteTable();

Q_SIGNALS:
  void busyChanged(bool isBusy);

private:
  struct Entry {
    /// Of a sweep that was made here; without a file for an opened one.
    RunDocument document;
    SweptPointer sweep;
    QString place;
  };
  void take(const SweptPointer &sweep, const QString &what);
  void end(const Status &status);
  /// There is nothing to sweep over.
  void refuse(const QString &why);
  void choosePoint(size_t point);
  void update();
  QString whyOutdated(const Entry &entry, const RunDocument &now) const;

  SweepBackend *m_backend;
  CompileController *m_compile;
  RunController *m_run;
  views::SweepView *m_view;
  /// What the sweep under way is of.
  std::optional<RunDocument> m_running;
  QString m_state;
  /// By open file; of no file while none is open.
  std::map<const QObject *, Entry> m_entries;
  SweptPointer m_shown;
};

} // namespace tilescope::app
