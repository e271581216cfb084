// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "views/run/RunField.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace tilescope::views {

class FormTable;
class ScrollPart;

struct RunForm {
  QStringList launches;
  /// -1: the kernel has none.
  int current = 0;
  std::vector<RunSection> sections;
  /// What is wrong with the launch, or what is missing.
  QString problem;
  /// What would mend it.
  std::vector<compiler::DiagnosticFix> fixes = {};
  /// There is no launch block for this kernel, but one can be written; empty otherwise.
  QString canCreateFor;
  /// Why the launch cannot run where it would; empty: it can.
  QString cannotRun = {};
  bool operator==(const RunForm &) const = default;
};

/// What executes launches on the CPU; in the order of the form's list.
enum class RunExecutor { Native, Interpreter };

/// A place where launches can run.
struct RunPlaceEntry {
  QString name;
  bool isCpu = false;
  /// What is known of it: in one line, and in full. May be empty.
  QString summary = {};
  QString details = {};
};

/// Where there is no room for values and results beside each other, a button folds the values.
struct FormFolding {
  bool canFold = false;
  bool isFolded = false;
};

/// The launch as a form: which launch, where it runs, and the values that it runs with.
class RunFormView : public QWidget {
  Q_OBJECT
public:
  explicit RunFormView(QWidget *parent = nullptr);

  void setForm(const RunForm &form);
  void setPlaces(const std::vector<RunPlaceEntry> &places, int chosen);
  void choosePlace(int index);
  /// What executes launches on the CPU.
  void setExecutor(RunExecutor executor);
  /// What can be chosen for a profile.
  void setProfileMenu(QMenu *menu);
  void setRunning(bool running);
  /// Whether the fields scroll by themselves, below launch, place and button.
  void setScrolling(bool scrolling);
  void setFolding(FormFolding folding);
  /// Reports what was typed into a field and is not yet finished.
  void commitEdits();
  /// Lets Tab go through the fields behind the button; returns where it ends.
  QWidget *orderFields();

Q_SIGNALS:
  /// The user wants to show the values, or to hide them.
  void valuesToggled(bool shown);
  void fieldEdited(const QStringList &path, const QString &text);
  void launchChosen(int index);
  void createBlockRequested();
  void fixRequested(const tilescope::compiler::DiagnosticFix &fix);
  /// One of the places; index in their list.
  void placeChosen(int index);
  void executorChosen(tilescope::views::RunExecutor executor);
  void runRequested();
  void profileRequested();
  void cancelRequested();

protected:
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  QWidget *createBody();
  QWidget *createExecutors(QWidget *body);
  /// The button is a word, an icon, or not there, so that it never takes a row of its own: the menu
  /// and the Profile view have it, too.
  void fitProfileButton();
  void showPlace();
  void rebuildFixes();
  void placeNow();
  void offerRun();

  RunForm m_form;
  QComboBox *m_launches;
  QComboBox *m_places;
  QPushButton *m_valuesButton;
  QPushButton *m_runButton;
  QToolButton *m_profileButton;
  QLayout *m_top;
  QPushButton *m_createButton;
  ScrollPart *m_body;
  /// What is known of the chosen place.
  QLabel *m_placeSummary;
  /// Where the place is the CPU.
  QWidget *m_executorRow;
  QComboBox *m_executors;
  QLabel *m_problem;
  /// A button for each fix.
  QWidget *m_fixes;
  FormTable *m_fields;
  bool m_running = false;
};

} // namespace tilescope::views
