// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"
#include "app/ide/step/StepBackend.h"
#include "compiler/artifacts/StepState.h"
#include "views/common/MovedPlaces.h"
#include "views/run/RunResults.h"

#include <QPointer>
#include <QTimer>

#include <deque>
#include <map>
#include <optional>
#include <set>

namespace tilescope::views {
class KernelEditor;
class StageColumn;
class StepView;
} // namespace tilescope::views

namespace tilescope::app {

/// Conditions of breakpoints in lines of the IR; empty: they stop always.
using StageBreakpoints = std::map<compiler::StageId, std::map<uint32_t, std::string>>;

/// Connects the Step view with the backend, with the breakpoints in the editor and in the columns,
/// and marks where the program has stopped. GUI thread.
class StepController : public QObject {
  Q_OBJECT
public:
  StepController(StepBackend *backend, CompileController *compile, QWidget *window);

  views::StepView *view() const { return m_view; }
  /// The editor in front, and the open file that it shows, with its path; null: none.
  void setEditor(views::KernelEditor *editor, const QObject *file, const QString &path);
  /// A column whose lines programs can stop at.
  void addColumn(compiler::StageId stage, views::StageColumn *column);

  /// Begins where nothing has begun yet.
  void act(compiler::StepAction action);
  void restart();
  void runTo(uint32_t line);
  /// To where a program writes an element, or to its fault. What goes wrong only beside other
  /// programs is not found in one alone: there it stops at the line, and says what the run said.
  void goToWrite(const std::array<int32_t, 3> &program, const compiler::ArgumentElement &element);
  void goToFault(const views::RunResults::Fault &fault);
  void cancel();
  bool isBusy() const { return m_isBusy; }
  /// The last state; nothing: nothing is stepped through.
  const std::optional<compiler::StepState> &state() const { return m_state; }
  /// Why a result cannot be stepped through; empty: it has the stage that is executed, whatever is wrong behind it.
  static QString whyNotOf(const compiler::CompileResult &result, compiler::StageId executed);
  /// There is nothing to step through, and why.
  void clear(const QString &why);
  /// At the cursor of the column that has the keyboard; false: none has.
  bool toggleInColumn();
  /// A line of a stage, and its breakpoint.
  struct ColumnLine {
    compiler::StageId stage{};
    uint32_t line = 0;
    /// Empty: it has none, or one that stops always.
    std::string condition = {};
    /// A value that the line works on, with `%`; empty: it works on none.
    QString value = {};
  };
  /// The cursor of the column that has the keyboard; nothing: none has.
  std::optional<ColumnLine> lineInColumn() const;
  /// Conditions for a breakpoint in a line of the text in front: about a block of that line, or of
  /// the one at which a program has stopped. None: neither has one.
  QStringList proposedConditions(uint32_t line) const;
  /// What is wrong with a condition at a line of the stage, or of the source; empty: nothing.
  QString problemOf(const QString &condition, std::optional<compiler::StageId> stage) const;
  /// Of an open file, for the session.
  StageBreakpoints stageBreakpoints(const QObject *file) const;
  void setStageBreakpoints(const QObject *file, StageBreakpoints breakpoints);
  /// In the text in front and in its stages.
  void clearBreakpoints();
  /// Programs stop at that line if the condition holds; empty: always.
  void setCondition(compiler::StageId stage, uint32_t line, const std::string &condition);

Q_SIGNALS:
  /// The program has stopped here, in the text that views show.
  void stopped(const tilescope::SourceRange &range);
  /// A place in a file, which the user wants to see.
  void placeRequested(const tilescope::compiler::SourceFile &file,
                      const tilescope::SourceRange &range);
  /// The program has stopped in another file than the one in front: the document, whose open file
  /// is `page`, or one that it imports, with `page` null.
  void fileRequested(const QObject *page, const tilescope::compiler::SourceFile &file);
  /// Something else is stepped through from now on: the file at this path, empty for one without.
  void begun(const QString &path, const QString &kernel);
  void layoutRequested(tilescope::compiler::StageId stage, int line);
  /// The user steps and should see it; `hasBegun`: something has begun, also in a view that is
  /// closed.
  void viewRequested(bool hasBegun);
  void busyChanged(bool isBusy);
  /// Something that the user should know, in a sentence.
  void said(const QString &what);
  void watchesChanged();
  /// Breakpoints in stages, or the stage that is executed: what the session keeps.
  void choiceChanged();

private:
  void connectView();
  /// The file and kernel in front.
  std::pair<const QObject *, std::string> subject() const;
  /// What begins is of another kernel than the program was chosen for: the first one of it.
  void forgetProgramOfOther();
  compiler::StepCommand commandFor(compiler::StepAction action) const;
  /// Does it as soon as the backend is free, and with a new launch as soon as that is compiled.
  void perform(compiler::StepCommand command, bool isNew);
  void send(const compiler::StepCommand &command, bool isNew);
  void sendNext();
  /// Whether the action is done once what begins has stopped: keys are not lost while it does.
  bool keepForStart(compiler::StepAction action);
  /// Why there is nothing to step through; empty: there is, or will be.
  QString whyNot() const;
  /// In place of a stop; empty: how to begin.
  void showWhyNot(const QString &why);
  /// What was said of another text or file may not hold for the one of now.
  void followWhyNot();
  void take(const StepReplyPointer &reply);
  void showWritten();
  void fail(const compiler::StepDoneReply &reply);
  void showStop();
  /// The index of the file in front among those that are stepped through; nothing: it is none.
  std::optional<uint32_t> fileInFront() const;
  void markLines();
  /// Scrolls the editor to where the program has stopped.
  void revealStop();
  void markColumns();
  /// The editor shows a file that is no part of what is stepped through.
  bool showsOtherFile() const;
  void followDocument();
  /// The name of an imported file that is another one than is stepped through; empty: none is.
  QString changedImport() const;
  std::vector<compiler::StepBreakpoint> breakpoints() const;
  void showBreakpoints();
  /// Where their lines are in the columns.
  void showInColumns();
  /// Says so where no code follows a new breakpoint.
  void checkNewBreakpoints();
  /// Those that are there are where the user has put them.
  void takeKnownBreakpoints();
  void toggleIn(compiler::StageId stage, uint32_t line);
  /// The file whose breakpoints hold: the one that is stepped through, or the one in front.
  const QObject *fileOfBreakpoints() const;
  /// Programs execute the stage that has a new breakpoint; while others are stepped through, says
  /// that it is not reached.
  void aimAt(compiler::StageId stage);
  /// Breakpoints in a stage that is not executed, in a sentence; empty: there are none.
  QString unreachedNote() const;
  /// The line of the stage in a row of its column; says so where there is none.
  std::optional<uint32_t> lineOfRow(const views::StageColumn &column, int row);
  void look();

  StepBackend *m_backend;
  /// Why it stops where the last command leads; empty: the program says so itself.
  std::string m_reason;
  /// The next stop is in front of a write, whose value is to be looked at.
  bool m_goesToWrite = false;
  /// The time of that stop, once it is known.
  std::optional<uint64_t> m_reasonTime;
  CompileController *m_compile;
  views::StepView *m_view;
  QPointer<views::KernelEditor> m_editor;
  const QObject *m_editorFile = nullptr;
  QString m_editorPath;
  std::multimap<compiler::StageId, views::StageColumn *> m_columns;
  /// By open file.
  std::map<const QObject *, StageBreakpoints> m_stageBreakpoints;

  /// Those of the file that is stepped through, while one that it imports is in front.
  std::map<uint32_t, std::string> m_breakpointsBehind;
  /// Lines of those in the editor.
  std::set<uint32_t> m_knownBreakpoints;

  /// What is stepped through: of which file, text and choice.
  const QObject *m_file = nullptr;
  /// What its file is called now.
  QString m_name;
  DocumentPointer m_document;
  std::vector<compiler::SourceFile> m_files;
  std::optional<compiler::StepState> m_state;
  bool m_isBusy = false;
  /// The worker holds the launch.
  bool m_isOpen = false;
  struct Wanted {
    compiler::StepCommand command;
    bool isNew = false;
  };
  /// What is done next: the last that was wanted.
  std::optional<Wanted> m_next;
  /// Waits for its compile.
  bool m_waitsForCompile = false;
  /// A launch is under way to its first stop.
  bool m_isStarting = false;
  /// What was wanted meanwhile, to be done in turn behind that stop.
  std::deque<compiler::StepAction> m_behindStart;
  /// The file and kernel that the view's program was chosen for.
  std::pair<const QObject *, std::string> m_programOf;
  /// The view shows `whyNot`.
  bool m_saysWhyNot = false;
  /// Something else is to be seen than what was asked for.
  bool m_wantsLook = false;
  /// The first block is drawn at once.
  QTimer m_busyTimer;
};

} // namespace tilescope::app
