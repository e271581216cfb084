// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QAbstractListModel>
#include <QAction>
#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;

namespace tilescope::views {

/// All actions that fit what was typed, best first.
class CommandModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { ShortcutRole = Qt::UserRole + 1, EnabledRole };
  using QAbstractListModel::QAbstractListModel;

  void setActions(const QList<QAction *> &actions);
  void setFilter(const QString &text);
  QAction *actionAt(int row) const;
  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QList<QPointer<QAction>> m_all;
  QList<QPointer<QAction>> m_shown;
};

/// A box over the window in which every command can be found by typing parts of its name.
class CommandPalette : public QFrame {
  Q_OBJECT
public:
  explicit CommandPalette(QWidget *window);

  void open(const QList<QAction *> &actions);
  CommandModel &model() { return m_model; }

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void run(int row);
  void fitHeight();

  CommandModel m_model;
  QLineEdit *m_input;
  QListView *m_list;
  QLabel *m_none;
  QPointer<QWidget> m_previousFocus;
};

/// The name of a command (which is also found by the words in its property `synonyms`) outside its
/// group: of a member of a group, such as an example, with the property `group` before it.
QString commandName(const QAction &action);

/// How well a name fits what was typed: 0 not at all. Every word typed must be found.
int commandScore(const QString &name, const QString &typed);

} // namespace tilescope::views
