// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"
#include "app/ide/docks/DockSet.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/page/EditorPage.h"
#include "app/ide/page/FileTabs.h"
#include "app/ide/page/NavigationHistory.h"
#include "app/ide/session/SessionKeeper.h"
#include "app/ide/window/ActionTable.h"
#include "app/ide/window/MainWindowOptions.h"
#include "app/ide/window/WindowParts.h"
#include "views/common/FocusState.h"
#include "views/common/FollowUp.h"

#include <QDir>

#include <map>
#include <optional>

namespace tilescope::profiler {
struct Recording;
struct ReportKernel;
} // namespace tilescope::profiler

namespace tilescope::views {
class PictureView;
class StageColumn;
} // namespace tilescope::views

namespace tilescope::app {

class Exports;
struct Definition;
struct ProfileOrigin;
struct RecordedSource;
enum class EditCommand;

/// The IDE's window: editors in the middle, all other views in docks around them, and the wiring
/// between views, focus, compile controller and session.
class MainWindow : public WindowParts {
  Q_OBJECT
public:
  MainWindow(CompileBackend *backend, MainWindowOptions options, QWidget *parent = nullptr);
  ~MainWindow() override;

  /// Opens files of the last session; false when there were none.
  bool restoreSession();
  /// The same; those that are not in front follow when the window has been painted.
  bool beginSession();
  /// Shows the file, in a new tab unless it is open. An unreadable file is reported and returns
  /// null. A folder is a lesson, a sweep, one of Triton's cache, or its Python files.
  EditorPage *openFile(const QString &path);
  /// The same, but a file that does not exist yet is an empty text with that name.
  EditorPage *openOrBegin(const QString &path);
  /// Opens the earliest stage of a kernel that Triton has compiled; asks which kernel when the folder holds several.
  EditorPage *openCache(const QString &folder);
  /// Opens the kernel that a report, or a file of another tool, has recorded, as a text that is in no file yet, with
  /// what was measured as its results; asks which kernel when there are several. Measurements without a source are
  /// results of the current file. Nothing: the file is no recording. Null: it cannot be opened, which is reported.
  std::optional<EditorPage *> openRecording(const QString &path);
  /// The same for a file that is to be a recording, and goes to its profile.
  void openProfile(const QString &path);
  void refuseFile(const QString &why);
  void forgetRefusal();
  EditorPage *newFile();
  /// Opens the text of a stage as a separate file, which compiles from there on.
  EditorPage *forkStage(compiler::StageId stage);
  /// Shows a text that is not a file of the user's, such as one of the prelude.
  EditorPage *openReadOnly(const QString &path, const QString &text);
  /// Brings the learner's file of the lesson on show to the front; null: it is not open.
  EditorPage *showLessonPage();
  EditorPage *currentPage() const { return m_tabs->page(); }
  views::KernelEditor *editor() const;
  /// The first example, for a picture of the window without a file.
  void openFirstExample();

  void setThemeName(const QString &name);
  void restoreDefaultLayout();
  /// The column that each stage has; the user may have opened more.
  views::StageColumn *stageColumn(compiler::StageId stage) const;
  views::FocusState *focusState() { return &m_focus; }
  CompileController *compileController() { return &m_compile; }
  QAction *action(const QString &id) const { return m_actions.find(id); }
  ViewDock *dock(const QString &id) const { return m_docks->find(id); }
  Workspace workspace() const { return m_docks->workspace(); }
  const FocusOutline *focusOutline() const { return m_docks->outline(); }
  /// Puts the cursor where there is something to see everywhere: on the first access to memory.
  void focusOnFirstLoad();
  Session session() const;

Q_SIGNALS:
  /// A compile has ended and everything shows its result.
  void settled();

protected:
  void closeEvent(QCloseEvent *event) override;
  void changeEvent(QEvent *event) override;
  void showEvent(QShowEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  /// Views behind another one are not stops of Tab.
  bool focusNextPrevChild(bool next) override;

private:
  // MainWindow.cpp
  void connectState();
  void connectRuns();
  void connectFocus();
  void connectTabs();
  void followCursor(Position position);
  /// What a place in the editor is on, in the text that views show.
  views::Focus focusAt(Position position) const;
  /// Places of the text that views show, in the editor's.
  std::vector<SourceRange> inEditor(std::vector<SourceRange> places) const;
  void showHoveredPlace(Position position);
  void requestCompile();
  /// What is compiled where the current file imports one that is open and not saved.
  void passOpenTexts();
  void followEdit();
  /// Whether the current file was compiled last.
  bool showsResultOfPage() const;
  // MainWindowResults.cpp
  void showResult(const CorrelationPointer &result, bool done);
  /// Without what the editor keeps back while its statement is typed.
  void showProblems();
  void refreshProblems();
  /// Of the kernel and its last run; ranges point into `files`, to which missing ones are added.
  std::vector<compiler::Diagnostic>
  kernelDiagnostics(const compiler::CompileResult &result,
                    std::vector<compiler::SourceFile> &files) const;
  void followTints(const compiler::CompileResult &result);
  /// Another file or kernel is to be shown: of the one before nothing stays on show.
  void showKept(const CorrelationPointer &kept);
  /// Marks what is shown as of an earlier revision.
  void markOutdated();
  void setFindingsOutdated(bool areOutdated);
  // MainWindowActions.cpp
  void createActions();
  /// Where it was left, also at an earlier start.
  void openGuide();
  void noteGuide();
  void createFileActions();
  void createEditActions();
  void createViewActions();
  QAction *editorAction(const QString &id, const QString &text, const QKeySequence &shortcut,
                        void (views::KernelEditor::*command)());
  void createZoomActions();
  void createArrangementActions();
  void createThemeActions();
  void createRunActions();
  void editFocused(EditCommand command);
  void zoom(int steps);
  void chooseFont();
  void focusNextView(bool forward);
  /// Those of the editor's document; when it has none, those of the list.
  void stepProblem(bool forward);
  /// Says beside the problem at the cursor, or the one chosen in the list, why it is one.
  void explainProblem();
  // MainWindowStep.cpp
  void createStepDock();
  void createStepActions();
  /// Breakpoints and marks are those of the file in front.
  void followStepEditor();
  void showStepView(bool hasBegun);
  void showStepWatches(const QString &path, const QString &kernel);
  void showStepFile(const QObject *stepped, const compiler::SourceFile &file);
  // MainWindowHistory.cpp
  void createHistoryDock();
  // MainWindowProfile.cpp
  void createProfileDock();
  void createProfileActions();
  void createTraceDock();
  void showTrace();
  void showProfiledPlace(const SourceRange &range);
  void profile();
  void chooseProfile();
  /// The samples of the profile on show, beside the lines of editor and columns.
  void showHeat();
  void tellHeat();
  void saveProfile();
  // MainWindowSweep.cpp
  void createSweepDock();
  void createSweepActions();
  /// Shows the sweep of a folder, or of one of the files in it; false: that is no sweep.
  bool openSweep(const QString &path);
  // MainWindowModel.cpp
  void createModelDock();
  /// False: the file is no model.
  bool openModel(const QString &path);
  void takeGenerated(EditorPage *page, const QString &text, bool isAnew);
  // MainWindowLesson.cpp
  void createLessonDock();
  void createLessonActions();
  void presentLesson();
  /// A lesson, or the script of a presentation; false: the file is neither.
  bool openTeaching(const QString &path);
  /// Opens the learner's file of a lesson, with everything that belongs to it in sight.
  void openLesson(size_t position);
  // MainWindowMenus.cpp
  void createMenus();
  void createFileMenu();
  void markTheme();
  void createToolBar();
  // MainWindowNavigation.cpp
  void goTo(const SourceRange &range);
  void goToPlace(const compiler::SourceFile &file, const SourceRange &range);
  /// Says so where the text in front can only be read; true: it must stay as it is.
  bool refusesEdits();
  /// Goes on where the text was mended.
  void applyFix(compiler::DiagnosticFix fix);
  std::optional<Definition> definitionAt(Position position) const;
  void goToDefinition(Position position);
  /// Back, or forward, in the history of jumps.
  void stepHistory(bool forward);
  NavigationPlace currentPlace() const;
  /// Brings the file to the front that the newest result is of.
  void showPageOfResult();
  EditorPage *showFile(const compiler::SourceFile &file);
  // MainWindowPasses.cpp
  void connectPasses();
  void followPass();
  void showBehindPass(const ResultPointer &behind);
  void createPassActions();
  // MainWindowDocks.cpp
  void createColumns();
  void revealHovered(const QObject *author);
  void createDocks();
  void showHintPictures();
  void createPictures();
  Exports *createExports();
  /// A view of the kernel's memory, and who has it looked at while it is in sight.
  void addPicture(const QString &id, const QString &title, const QKeySequence &key,
                  views::PictureView *view, PictureController *controller);
  std::optional<SourceRange> placeNow(const SourceRange &range) const;
  void goToShown(const SourceRange &range);
  void showPlace(const SourceRange &range);
  /// `header`: what the view has in the row of its title.
  void addDock(const QString &id, const QString &title, QWidget *view, const QKeySequence &shortcut,
               QWidget *header = nullptr);
  /// Shows one view alone, or everything again; the keyboard stays in that view.
  void toggleMaximized(QWidget *view);
  /// Shows a view and moves the keyboard focus to it, even if it has it already.
  void goToView(ViewDock *dock);
  void goToEditor();
  void showWorkspace(Workspace workspace);
  /// Of the column in use, or of the last one.
  void splitRight();
  void updateWantedStages();
  // MainWindowFiles.cpp
  /// Where dialogs begin: in the folder of the page's file, if it has one, of the file used last, or at home.
  QString folderForDialog(const EditorPage *page) const;
  QString folderToSave(const EditorPage *page) const;
  /// Whether a file came with the program.
  bool isExample(const QString &path) const;
  void chooseFiles();
  void acceptDrops();
  /// Returns the last one; nothing: the folder has none.
  std::optional<EditorPage *> openPythonFiles(const QString &folder);
  /// The page with the text that was recorded in the file at `path`: one that is open, its file,
  /// there or beside the recording, or a new one.
  EditorPage *openRecordedSource(const RecordedSource &source, const QString &path);
  /// The current file, when measurements without a source are of its kernel; else says so.
  EditorPage *pageOfRecorded(const profiler::ReportKernel &kernel, const QString &path);
  /// What was recorded of the kernel's runs, as results and profile of an open file. Returns the
  /// view that shows it; null: it did not run.
  ViewDock *keepRecorded(EditorPage *page, const profiler::Recording &recording,
                         const ProfileOrigin &origin);
  void restoreProfile(EditorPage *page, const ProfileOrigin &origin);
  void chooseCache();
  void chooseImportFolders();
  void useImportFolders();
  EditorPage *addPage();
  EditorPage *showPage(EditorPage *page);
  bool savePage(EditorPage *page, bool askPath);
  bool closePage(int index);
  /// Titles of tabs and window, and what is watched on the disk.
  void updateTitles();
  void pageChanged();
  void recompile();
  // MainWindowExamples.cpp
  void fillRecentMenu();
  void fillExamplesMenu(QMenu *menu);
  void addExampleProfiles(QMenu *menu);
  // MainWindowEmpty.cpp
  void createStartPage();
  void fillStartPage();
  /// Commands that need a file are there only with one.
  void enableForFile(bool isOpen);
  /// The last file is closed: nothing of it stays on show.
  void showNothing();
  /// The current text is not compiled: no view keeps showing another one.
  void showUncompiled(const QString &why);
  /// Lists where the file in front is not UTF-8; else only `why` there are no problems.
  void showEncodingProblem(const QString &why);
  void clearPictures(const QString &why);
  // MainWindowSession.cpp
  void createSession();
  /// Fonts, size and place of the last time; the window always fits the screen.
  void restoreAppearance();
  SessionBatch collectSession(SessionKeeper::Part part);
  void scheduleSave() { m_keeper->schedule(); }
  EditorPage *restoreFile(const SessionFile &file, int index);
  void endRestoring();
  /// Says what was not opened, and offers to open it.
  void offerKeptTexts(const QStringList &notes);
  /// Moves texts of other windows, which have ended, into this session.
  void adoptTexts();
  /// Until the program is idle again, a crash is this page's.
  void markBusy(const QString &id);
  /// False: the user wants to stay.
  bool tellWhatIsKept();
  bool askAboutUnsaved();
  void reportError(const QString &message);

  CompileBackend *m_backend;
  MainWindowOptions m_options;
  Session m_session;
  views::FocusState m_focus;
  CompileController m_compile;
  /// What has been typed is compiled.
  views::FollowUp m_editFollowUp;
  NavigationHistory m_history;
  FileTabs *m_tabs;
  ActionTable m_actions;
  DockSet *m_docks;
  /// The profile whose trace is shown, which is only compared.
  const void *m_tracedProfile = nullptr;
  /// The file that is stepped through, or was last.
  QString m_steppedKernel;
  QMenu *m_recentMenu = nullptr;
  QMenu *m_lessonsMenu = nullptr;
  /// Above all files.
  NoticeBar *m_notice;
  /// While the session cannot be written.
  NoticeBar *m_trouble;
  /// Of files that could not be opened.
  NoticeBar *m_refusal;
  bool m_isRefusalNew = false;
  SessionKeeper *m_keeper = nullptr;
  /// The other parts of the session, until they are restored.
  std::map<QString, PageRecord> m_records;
  QStringList m_sessionNotes;
  std::vector<SessionFile> m_heldBack;
  QStringList m_closedIds;
  QTimer m_staleTimer;
  /// Whose columns were scrolled to the cursor's line.
  uint64_t m_alignedRevision = 0;
  /// The one whose findings the editor shows.
  uint64_t m_foundRevision = 0;
  /// By open file.
  std::map<const QObject *, views::LineTints> m_tints;
  /// The open file whose problems are shown, and the files that these are in.
  const QObject *m_listedFile = nullptr;
  std::vector<compiler::SourceFile> m_problemFiles;
  bool m_arranged = false;
};

} // namespace tilescope::app
