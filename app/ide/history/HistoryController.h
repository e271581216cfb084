// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"
#include "app/ide/history/HistoryLog.h"
#include "app/ide/history/HistoryStore.h"
#include "views/stages/ColumnText.h"

#include <QThreadPool>
#include <QTimer>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace tilescope::views {
class HistoryView;
} // namespace tilescope::views

namespace tilescope::app {

class TogetherBackend;
struct ComparedVersion;
struct LaunchRequest;
struct LaunchRun;
struct RunDocument;
struct TogetherOffer;

/// Records every compile that differs and every run of the open files, shows those of the kernel
/// that the window is about, and keeps them on the disk. Reading and writing happen in the
/// background. GUI thread.
class HistoryController : public QObject {
  Q_OBJECT
public:
  /// Names an open file, also across restarts.
  using NameOf = std::function<QString(const QObject *file)>;

  /// Without a folder, versions are kept while the program runs.
  HistoryController(CompileController *compile, QString folder, NameOf nameOf, QObject *parent);
  ~HistoryController() override;

  views::HistoryView *view() const { return m_view; }
  /// How two versions are measured against each other; `launch` is the document's as it would run on
  /// a GPU, nothing without one.
  void setMeasuring(TogetherBackend *backend,
                    std::function<std::optional<LaunchRequest>()> launch) {
    m_together = backend;
    m_launch = std::move(launch);
  }
  /// What is in front is not compiled, and why; the view says it in place of versions.
  void setUncompiled(const QString &why) { m_whyNone = why; }
  /// A run has ended, and this is what it measured.
  void recordRun(const RunDocument &document, const LaunchRun &run);
  /// A file may have got another name: its versions go along.
  void followName(const QObject *file);
  /// Versions of the kernel in front whose stages are kept, for columns to be compared with, the
  /// newest first; what is in front itself is none of them.
  std::vector<views::ComparisonOffer> offers() const;
  /// Whether a key is one of `offers`, and what it stands for; null: its stages are not kept.
  static bool isVersion(const std::string &key);
  ResultPointer resultOf(const std::string &key) const;
  /// While it is set, edits of the text are whole ones, made by a field of a form.
  void setStepping(bool isStepping) { m_isStepping = isStepping; }
  /// A file is closed: its versions are written.
  void forget(const QObject *file);
  /// Writes what has changed, and waits. Returns what went wrong, or nothing.
  QString writeNow();

Q_SIGNALS:
  /// There are others than before.
  void versionsChanged();
  void restoreRequested(const QString &text);
  void branchRequested(const QString &text);
  /// The user has closed the window that compares versions.
  void comparisonClosed();
  /// `result` is null for a version whose stages are not kept.
  void baselineChosen(const tilescope::app::ResultPointer &result, int64_t number);

private:
  /// Of a file that is not on the disk under its name.
  static constexpr uint64_t kNothingWritten = UINT64_MAX;
  struct File {
    QString name;
    HistoryLog log;
    bool isLoaded = false;
    /// `HistoryLog::numChanges` that are on the disk, and that are shown or about to be written.
    uint64_t numWritten = 0;
    uint64_t numNoted = 0;
    /// What happened while the file's versions were being read.
    std::vector<std::function<void(File &)>> waiting = {};
  };
  struct Kept {
    const QObject *file = nullptr;
    int64_t number = 0;
    ResultPointer result;
  };
  File &fileOf(const QObject *file);
  void recordResult(const CorrelationPointer &result, bool done);
  /// As soon as the file's versions of an earlier time are there.
  void record(const QObject *file, std::function<void(File &)> change);
  void take(const QObject *file, std::vector<views::HistoryEntry> older);
  /// Shows what has changed and has it written; nothing for what was recorded already.
  void noteChanges(File &file);
  void writeInBackground();
  void show();
  /// Unless the versions of this file and kernel are shown.
  void noteEdit();
  void follow();
  /// The file that the window is about; null when nothing is recorded of it.
  File *current();
  const views::HistoryEntry *entry(int64_t number);
  ResultPointer resultOf(int64_t number) const;
  ComparedVersion compared(const views::HistoryEntry &version) const;
  ComparedVersion textOfNow(const views::HistoryEntry &version) const;
  void compare(int64_t older, int64_t newer);
  /// What it takes to measure both, as the launch is now.
  TogetherOffer offerToMeasure(const ComparedVersion &before, const ComparedVersion &after) const;
  void chooseBaseline(int64_t number);

  CompileController *m_compile;
  views::HistoryView *m_view;
  std::shared_ptr<const HistoryStore> m_store;
  NameOf m_nameOf;
  std::map<const QObject *, File> m_files;
  /// What the view shows: a file and a kernel.
  std::pair<const QObject *, std::string> m_shown;
  /// The text that was there last, and of which file, to tell an edit.
  std::pair<const QObject *, std::shared_ptr<const KernelSource>> m_text;
  /// What the view says where there is nothing to record.
  QString m_whyNone = tr("No file is open.");
  TogetherBackend *m_together = nullptr;
  std::function<std::optional<LaunchRequest>()> m_launch;
  /// Stages of the versions of this session, newest last.
  std::deque<Kept> m_results;
  bool m_isStepping = false;
  QTimer m_writeTimer;
  QThreadPool m_thread;
};

} // namespace tilescope::app
