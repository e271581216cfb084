// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"
#include "app/ide/run/GuessedBlocks.h"
#include "app/ide/run/RunBackend.h"
#include "views/run/RunFormView.h"

#include <QElapsedTimer>
#include <QPointer>

namespace tilescope::views {
class ConsoleView;
class RunView;
} // namespace tilescope::views

namespace tilescope::app {

class RunHistory;
class SideCompiles;

/// Connects the Run view with the launch block in the text, and with the backend that runs it.
class RunController : public QObject {
  Q_OBJECT
public:
  RunController(RunBackend *backend, CompileController *compile, QWidget *window);

  views::RunView *view() const { return m_view; }
  views::ConsoleView *console() const { return m_console; }
  RunHistory &history() { return *m_history; }
  /// What compiles a kernel without its launch block, to guess that anew.
  void setSideCompiles(SideCompiles *side) { m_side = side; }
  /// Launch blocks that were guessed, for each file: a session keeps them.
  GuessedBlocks &guesses() { return m_guesses; }
  /// The document whose launch blocks the form shows; null when no file is open.
  void setDocument(DocumentPointer document);
  void setResult(ResultPointer result);
  /// There is nothing to run, and why.
  void clear(const QString &why);
  void runOnCpu();
  /// Runs where the form says.
  void run();
  /// Profiles where the form says, or, in place of the CPU, on the first GPU of this
  /// machine. `profileRefused` says why that cannot be.
  void profile(const profiler::ProfileWishes &wishes);
  /// Why that cannot be; empty: it can.
  QString whyNotProfiled(const profiler::ProfileWishes &wishes) const;
  void cancel();
  /// Writes a launch block of guesses into the file, for a kernel that has none.
  void writeSuggestedBlock();
  /// Writes a report of the document's launch, which runs for it where the form says, unless a
  /// profile of it is known; `reportEnded` follows.
  void exportReport(const QString &path, std::optional<profiler::ProfileDocument> profile = {});
  /// A run or a report is being made.
  bool isBusy() const;
  /// Neither a run of the document nor a report is being made: a run of it can be started, though that of another file
  /// may have to end first.
  bool canRun() const;
  /// The document's launch as it would run where the form says; nothing without a document.
  std::optional<LaunchRequest> request() const;
  /// The same where it would be profiled; nothing without a GPU.
  std::optional<LaunchRequest> gpuRequest() const;
  /// Asks for a machine behind ssh, which is then where the form runs. Returns at once.
  void askForHost();
  /// Places behind ssh that can be chosen, as `ssh://[user@]host`.
  QStringList hosts() const;
  void setHosts(const QStringList &hosts);
  /// What executes launches on the CPU.
  views::RunExecutor executor() const { return m_executor; }
  void setExecutor(views::RunExecutor executor);
  /// What is under way while it is busy, and how it is stopped.
  QString busyText() const;
  /// What `@triton.autotune` of the kernel offers, one line each; the first entry of a kernel with
  /// a launch block leaves the choice to that.
  QStringList configurationTitles() const;
  /// Index among the titles of what is compiled; -1: something that is not among them.
  int chosenConfiguration() const;
  void chooseConfiguration(int index);

Q_SIGNALS:
  /// The form wrote a value back: this is the text now.
  void sourceEdited(const QString &text);
  void placeRequested(const tilescope::compiler::SourceFile &file,
                      const tilescope::SourceRange &range);
  void busyChanged(bool isBusy);
  /// The user wants a run of the present text, whether it can be made or not.
  void runWanted();
  void profileRefused(const QString &why);
  /// Why something was not done, for where the user looks.
  void remarked(const QString &text);
  /// What is done for the report, and how long that may take.
  void reportProgressed(const QString &state);
  /// An empty error: the report is there.
  void reportEnded(const QString &path, const QString &error);
  void hostsChanged();
  /// The user has chosen what executes launches on the CPU.
  void executorChanged();
  /// What a machine behind ssh can do, or why it does not say; while it is asked, that it is.
  void machineTold(const QString &words);
  /// The GPUs of this machine, by name.
  void devicesFound(const QStringList &names);

private:
  /// Where a launch can run.
  struct Place {
    RunPlace place;
    QString name;
    /// Of its GPU; empty when it has none or is not known.
    std::string target;
    /// What a machine behind ssh can do, in one line and in all lines, or why it does not say; empty: not known.
    QString summary = {};
    QString details = {};
  };
  /// Null: there is no GPU.
  const Place *profiledPlace() const;
  void connectPlaces();
  void takeDevices(const RunPlace &place, const Devices &devices);
  void takeMachine(const RunPlace &place, const profiler::Capabilities &machine,
                   const QString &fault);
  void updatePlaces();
  void choosePlace(size_t index);
  void addHost(const QString &host);
  void runAt(const Place &place);
  /// Whether TTIR of the document's text is there, or never will be.
  bool canGuess() const;
  /// Writes the block that waits for TTIR, if it is there.
  void writeWantedBlock();
  /// Writes a launch block of guesses, and runs as soon as the document has it.
  void runWithGuesses(const Place &place);
  /// Guesses the launch block anew where it is still what was guessed, and the kernel another one; a
  /// run follows. False: there is nothing to guess.
  bool guessAgain(const Place &place);
  /// `rest` is the text without the block, of which the result is.
  void runGuessedAgain(const Place &place, const compiler::CompileResult &result,
                       const std::string &rest);
  /// Says of a run that waits for its launch block that another text than the user meant is in front;
  /// `next` is that text, null: there is none.
  void giveUpWaiting(const KernelDocument *next, bool isSameFile);
  /// Runs the document as it is.
  void startAt(const Place &place);
  LaunchRequest requestAt(const Place &place) const;
  void tellReport(const QString &part, quint64 done, quint64 total);
  void endReport(const Status &status);
  void updateHistory();
  void updateForm();
  void editField(const QStringList &path, const QString &text);
  /// `isGuess`: the user has chosen nothing in it.
  void writeBlock(const profiler::LaunchBlock &block, bool isGuess);
  void editAssumption(const QString &table, const QString &name, const std::string &value);
  /// What the kernel that was compiled last offers.
  const std::vector<compiler::Configuration> &configurations() const;

  RunBackend *m_backend;
  CompileController *m_compile;
  SideCompiles *m_side = nullptr;
  GuessedBlocks m_guesses;
  views::RunView *m_view;
  /// Whose the document is.
  QPointer<const QObject> m_file;
  DocumentPointer m_document;
  ResultPointer m_result;
  /// As soon as it can be guessed.
  bool m_isBlockWanted = false;
  /// Where to run with the block that is being written.
  std::optional<Place> m_runWanted;
  /// A run waits for the block that is guessed again for this document; null: none does.
  DocumentPointer m_guessedFor;
  views::ConsoleView *m_console;
  RunHistory *m_history;
  /// The CPU, the GPUs of this machine, hosts behind ssh; one of them is chosen.
  std::vector<Place> m_places;
  size_t m_place = 0;
  views::RunExecutor m_executor = views::RunExecutor::Native;
  /// Of the report that is being written; empty: none.
  QString m_reportPath;
  /// Since its programs began to run; invalid: they have not.
  QElapsedTimer m_reportRuns;
};

} // namespace tilescope::app
