// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/StepState.h"

#include <QWidget>

#include <map>
#include <optional>

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QSplitter;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace tilescope::views {

class ElidedLabel;
class StepModel;
class StepPicture;
class StepTable;

/// A program that is executed step by step: where it has stopped, what its variables hold, and one
/// of them as a picture.
class StepView : public QWidget {
  Q_OBJECT
public:
  explicit StepView(QWidget *parent = nullptr);
  ~StepView() override;

  /// Buttons for these commands, in this order; null: a gap.
  void setCommands(const QList<QAction *> &commands);
  /// That places of later states are in, the document first.
  void setFiles(const std::vector<compiler::SourceFile> &files);
  void setState(const compiler::StepState &state);
  /// A move is under way; `said`: how far it is.
  void setBusy(bool isBusy, const QString &said = {});
  /// There is nothing to step through, and why; `offersBlock`: the file lacks a launch block.
  void clear(const QString &why, bool offersBlock = false);
  /// What stands in place of a stop before the first step.
  static QString howToBegin();
  bool hasState() const { return m_hasState; }
  /// What is stepped through is not what the editor holds; empty: it is.
  void setStaleNote(const QString &note);
  void setBreakpoints(const std::vector<compiler::StepBreakpoint> &breakpoints);

  // What the user has chosen.
  compiler::StepSight sight() const;
  std::array<int32_t, 3> program() const;
  void setProgram(const std::array<int32_t, 3> &program);
  compiler::StepOrder order() const;
  compiler::StageId stage() const;
  /// Of what is begun next.
  void setStage(compiler::StageId stage);
  bool stepsByOperation() const;
  bool stopsAtFindings() const;
  /// For the session.
  QStringList watches() const { return m_watches; }
  void setWatches(const QStringList &watches);
  /// Another kernel is stepped through: what was chosen of the one before is not looked for in it.
  void forgetChoice();
  /// Shows the elements of that block, if it is there; later steps go on choosing as before.
  void follow(const QString &name);

  bool canExport() const;
  bool exportSvg(const QString &path) const;
  bool exportPng(const QString &path) const;

  QString positionLine() const;
  QString reasonText() const;
  QString staleText() const;
  StepModel &model() { return *m_model; }
  StepPicture &picture() { return *m_picture; }
  QTableView &table();
  QLineEdit &watchField() { return *m_watchField; }
  QComboBox &stageField() { return *m_stage; }
  QComboBox &unitField() { return *m_unit; }
  QComboBox &orderField() { return *m_order; }
  QComboBox &frameField() { return *m_frame; }
  QSpinBox &programField(int axis) { return *m_program[static_cast<size_t>(axis)]; }

Q_SIGNALS:
  /// Another program, in the memory as it is now.
  void programChosen();
  /// Everything from the beginning: another order, or another stage.
  void restartRequested();
  /// Other values are to be seen.
  void sightChanged();
  void watchesChanged();
  void placeRequested(const tilescope::SourceRange &range);
  void breakpointRequested(const tilescope::compiler::StepBreakpoint &breakpoint);
  void layoutRequested(int stageLine);
  void launchBlockRequested();
  void exportRequested();

protected:
  void resizeEvent(QResizeEvent *event) override;

private:
  // StepWidgets.cpp
  QWidget *createBar();
  QToolButton *createOptions();
  QWidget *createPages();
  void createFields();
  void connectState();

  void showFrames();
  void showReason();
  void showPicture();
  void choose(const QModelIndex &row);
  void chooseRow(int row);
  /// In the place of a picture.
  QString wordsWithoutPicture() const;
  void followChange();
  void addWatch();
  void removeWatch(int row);
  void editWatch(int row);
  void changeWatches();

  bool m_hasState = false;
  compiler::StepState m_state;
  /// Names of files.
  QStringList m_files;
  QStringList m_watches;
  /// The value that is shown as a picture.
  QString m_block;
  /// Or the chosen one that has no elements, a constexpr.
  QString m_constant;
  /// Until the user chooses one, it is what the last step computed.
  bool m_isFollowing = true;
  /// The time at which the block was chosen for the user.
  std::optional<uint64_t> m_followedAt;
  std::vector<compiler::StepBreakpoint> m_breakpoints;
  QWidget *m_commands;
  ElidedLabel *m_position;
  QLabel *m_reason;
  QLabel *m_staleNote;
  std::array<QSpinBox *, 3> m_program;
  QComboBox *m_order;
  QComboBox *m_stage;
  QComboBox *m_unit;
  QComboBox *m_frame;
  QComboBox *m_breakpointList;
  QCheckBox *m_findings;
  QCheckBox *m_allValues;
  StepModel *m_model;
  StepTable *m_table;
  QLineEdit *m_watchField;
  StepPicture *m_picture;
  QSplitter *m_splitter;
  QStackedWidget *m_pages;
  QLabel *m_empty;
  /// Why there is no state, while nothing is under way.
  QString m_whyEmpty;
  QPushButton *m_writeBlock;
  QProgressBar *m_progress;
};

} // namespace tilescope::views
