// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/run/ReferenceWatch.h"
#include "app/ide/run/RunBackend.h"
#include "views/console/ConsoleModel.h"
#include "views/run/RunResults.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <map>
#include <optional>
#include <set>

namespace tilescope::views {
class ConsoleView;
class RunView;
} // namespace tilescope::views

namespace tilescope::app {

/// The document that the window shows, as far as runs are concerned.
struct RunDocument {
  /// The open file, whatever its name; null: none.
  const QObject *file = nullptr;
  QString path;
  std::string text;
  /// The kernel that is compiled, and the position of its launch block; -1 without one.
  std::string kernel;
  int launch = -1;
  /// Other inputs of the compile: configuration, options, target.
  compiler::Selection selection;
  /// Files that the newest compile has imported.
  std::vector<compiler::SourceFile> imports = {};
  /// What its tab calls a text that is in no file.
  QString untitledName = {};
  bool operator==(const RunDocument &) const = default;
};

/// A run that was not made in this window.
struct RecordedResults {
  profiler::Measurement measurement;
  /// `report.html · NVIDIA H100 · 2026-01-31 12:00 UTC`.
  QString place;
  /// Whether the text that was measured is recorded with it.
  bool hasSource = true;
};

/// Runs launches and keeps what came of them: the last results of each document, shown while that
/// document is, and called outdated as soon as they are of another text, kernel or choice.
class RunHistory : public QObject {
  Q_OBJECT
public:
  RunHistory(RunBackend *backend, views::RunView *view, views::ConsoleView *console,
             QObject *parent);

  /// Runs a launch of the current document; if another run is under way, as soon as that has ended.
  void start(LaunchRequest request);
  /// Whether no run of the current text, kernel and launch is under way.
  bool canStart() const {
    return !m_running || runsElsewhere() || m_running->document.text != m_document.text ||
           m_running->document.kernel != m_document.kernel ||
           m_running->document.launch != m_document.launch;
  }
  /// Says in place of a run why the current document cannot run: its text does not parse.
  void refuse(const RunPlace &place, std::vector<compiler::Diagnostic> syntaxErrors);
  /// Keeps what was recorded elsewhere of an open file's kernel: shown, with where and when, as
  /// soon as the file is.
  void keepRecorded(const QObject *file, const RecordedResults &recorded);
  void cancel();
  bool isRunning() const { return m_running.has_value(); }
  void setDocument(const RunDocument &document);
  const RunDocument &document() const { return m_document; }
  /// Why a recording without its text is outdated.
  static QString unknownTextReason();
  /// Why there is no result of what the user ran last in a file; shown until it runs again.
  void noteLost(const QObject *file, const QString &why);
  /// What ran last in a file, where and when; empty: nothing.
  QString lastRun(const QObject *file) const;
  /// The same of an earlier start, whose results are gone.
  void restoreLastRun(const QObject *file, const QString &run);
  /// A file was closed.
  void forget(const QObject *file);
  /// Looks whether files that outputs were compared with hold something else by now.
  void checkReferences() { m_references.check(); }
  /// What the last run of the current document found. After an edit what was found in other lines
  /// remains, marked as outdated, until the next run. Ranges point into `files`, to which missing
  /// ones are added.
  std::vector<compiler::Diagnostic> findings(std::vector<compiler::SourceFile> &files) const;

Q_SIGNALS:
  /// A run has ended, or could not begin.
  void finished();
  void runningChanged(bool running);
  /// `findings` returns something else.
  void findingsChanged();
  void documentChanged(const tilescope::app::RunDocument &document);
  /// How far the profile that is being made has come.
  void profileProgressed(const QString &state);
  /// A run that was a profile has ended, with a measurement or an error. The document's file is null
  /// when it was closed meanwhile.
  void profileEnded(const tilescope::app::RunDocument &document,
                    const tilescope::views::RunStamp &stamp,
                    const tilescope::app::LaunchRunPointer &run);
  /// A run of a file that is not in front was stopped, or has come to its end: what there is to say of it.
  void endedElsewhere(const QString &what);
  /// A run of a document that is still open has come to its end.
  void measured(const tilescope::app::RunDocument &document,
                const tilescope::app::LaunchRunPointer &run, const tilescope::app::RunPlace &place);

private:
  /// What a run was started from.
  struct Origin {
    RunDocument document;
    views::RunStamp stamp;
    std::shared_ptr<QTemporaryDir> folder;
    /// Of a target and options that this window need not have.
    bool isRecorded = false;
    bool isProfile = false;
    /// Of a text that is not known.
    bool isOfOtherText = false;
    RunPlace place = {};
  };
  /// A run that begins when the one under way has ended.
  struct Waiting {
    Origin origin;
    LaunchRequest request;
  };
  struct Entry {
    Origin origin;
    views::RunResultsPointer results;
    /// What was found, at its places in a later text.
    std::vector<compiler::Diagnostic> findings = {};
    std::string text = {};
  };

  void begin(Origin origin, LaunchRequest request);
  void wait(Origin origin, LaunchRequest request);
  void beginNext();
  /// Whether a run of the current document waits.
  bool isNext() const;
  /// What it waits for, by itself or behind the state of the run of an earlier text; empty: none waits.
  QString waitingText() const;
  void showProgress(quint64 done, quint64 total);
  void showChecking();
  void showStep(const QString &part, int done, int total);
  /// How far the run has come; `%1` in `state` stands for what is run.
  void tell(const QString &state);
  /// What `tell` was told last, for the file in front or for another one.
  void showState();
  bool runsElsewhere() const;
  Origin originOf(const RunPlace &place) const;
  void noteRun(const QObject *file, const views::RunStamp &stamp);
  /// Says of a file's results that they had to make room.
  void noteDropped(const QObject *file);
  /// Keeps and shows the results of a document that is still open.
  void enter(Origin origin, views::RunResultsPointer results,
             std::vector<ReferenceFile> references = {});
  void take(const LaunchRunPointer &run);
  /// Enters what was recorded of the current document.
  void takeRecorded();
  /// Keeps a file's own results, in whose place recorded ones come.
  void keepOwn(const QObject *file, const views::RunStamp &recorded);
  /// Exchanges the results of the current document for those that are kept.
  void showOther();
  /// Takes what was found to its places in the current text.
  void moveFindings();
  /// What was read for the results and is another one now; empty: nothing.
  QString otherInput(const Entry &entry) const;
  /// Why the results no longer belong to the document; empty: they do.
  QString whyOutdated(const Entry &entry) const;
  void show();
  QString stoppedText() const;

  /// Documents whose results are kept: outputs lie on the disk.
  static constexpr size_t kKeptEntries = 8;

  RunBackend *m_backend;
  views::RunView *m_view;
  views::ConsoleView *m_console;
  RunDocument m_document;
  std::optional<Origin> m_running;
  std::optional<Waiting> m_next;
  bool m_isCancelled = false;
  /// What was told of it last.
  QString m_state;
  std::map<const QObject *, Entry> m_entries;
  /// Of files that have recorded results and their own, those that are not shown.
  std::map<const QObject *, Entry> m_others;
  ReferenceWatch m_references;
  /// Of files that have not been shown since.
  std::map<const QObject *, RecordedResults> m_recorded;
  /// Files whose last run was stopped.
  std::set<const QObject *> m_stopped;
  /// Of files without results, why.
  std::map<const QObject *, QString> m_lost;
  std::map<const QObject *, QString> m_lastRuns;
};

} // namespace tilescope::app
