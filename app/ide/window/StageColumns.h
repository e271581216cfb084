// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"
#include "app/ide/session/Session.h"

#include <QKeySequence>
#include <QObject>

#include <functional>
#include <map>
#include <set>

class QWidget;

namespace tilescope::views {
class FocusState;
class StageColumn;
} // namespace tilescope::views

namespace tilescope::app {

class ActionTable;
class ComparedResults;
class DockSet;
class HistoryController;
class SideCompiles;
class ViewDock;

/// A view with what its dock and its commands are called.
struct DockedView {
  QString id;
  QString title;
  QWidget *view = nullptr;
  QKeySequence key = {};
  /// What the view has in the row of its title; may be null.
  QWidget *header = nullptr;
};

/// The columns of stages: as many as the user wants, what each shows, and what it is compared with.
class StageColumns : public QObject {
  Q_OBJECT
public:
  /// What columns work with; all of it outlives them.
  struct Parts {
    QWidget *window = nullptr;
    CompileController *compile = nullptr;
    SideCompiles *side = nullptr;
    views::FocusState *focus = nullptr;
    DockSet *docks = nullptr;
    ActionTable *actions = nullptr;
    std::function<void(const DockedView &)> addDock;
    /// There as soon as something is compared.
    std::function<HistoryController *()> versions;
  };
  StageColumns(Parts parts, QObject *parent);

  /// One for each stage, and those that the user had at an earlier time.
  void create(const QStringList &extra);
  void addCommands();
  /// Of a stage, its own first.
  const std::multimap<compiler::StageId, views::StageColumn *> &all() const { return m_columns; }
  /// Null: the stage has none.
  views::StageColumn *first(compiler::StageId stage) const;
  /// The one with the keyboard, or the last one in sight; null: there is none.
  views::StageColumn *inUse() const;
  bool has(const QObject *view) const;
  /// To the lines of the focus.
  void align(const QObject *except = nullptr);
  /// What is in sight of them.
  std::set<compiler::StageId> wantedStages() const;

  /// Names and choices of columns, for the session and from it.
  QStringList extraIds() const;
  QMap<QString, SessionColumn> choices() const;
  void restoreChoices(const QMap<QString, SessionColumn> &choices);

  /// What is kept of another file or kernel, which is to be shown; null: nothing.
  void restore(const CorrelationPointer &kept);
  /// A compile has ended: the first of a kernel is its baseline, until the user sets another.
  void finish(const ResultPointer &result);
  void setBaseline(const ResultPointer &result);
  /// A file was closed.
  void forget(const QObject *file);
  /// What columns can be compared with has changed, and what must be compiled for those that are.
  void followComparisons(bool isHurried);

Q_SIGNALS:
  /// Something that the user should know, in a sentence.
  void said(const QString &what);
  /// What the session keeps.
  void choiceChanged();
  /// The user has another column from now on, and wants to see it.
  void opened(tilescope::app::ViewDock *dock, tilescope::views::StageColumn *column);

private:
  views::StageColumn *add(compiler::StageId stage, const QString &id, const QString &title,
                          const QKeySequence &key);
  void openAnother();
  /// Null: the kernel has none yet.
  ResultPointer baselineOf(const std::string &kernel) const;
  void showCompared();

  Parts m_parts;
  ComparedResults *m_compared;
  std::multimap<compiler::StageId, views::StageColumn *> m_columns;
  /// Of each kernel of a file: its first result, until the user sets another.
  std::map<std::pair<const QObject *, std::string>, ResultPointer> m_baselines;
};

} // namespace tilescope::app
