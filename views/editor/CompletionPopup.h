// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/CompletionModel.h"

#include <QFrame>

class QLabel;
class QListView;

namespace tilescope::views {

/// The list beside the cursor while a name is typed. The editor keeps the keyboard and passes the
/// keys that steer the list.
///
/// A user who ignores the list gets exactly the text typed:
/// - Tab takes the row in use, always.
/// - Enter takes it only after Up or Down was pressed, or when the typed word names nothing and
///   only one name goes on from it (`tl.aran`). Everywhere else Enter begins a new line.
/// - No other key takes anything.
///
/// The row in use names the key that takes it.
class CompletionPopup : public QFrame {
  Q_OBJECT
public:
  explicit CompletionPopup(QWidget *parent);

  /// Shows the list below (or above) the cursor's rectangle, given in global coordinates; hides it
  /// when there is nothing to show.
  void present(compiler::ast::CompletionList list, const QRect &cursor);
  /// True when the key steered the list or took an entry.
  bool handleKey(int key);
  QString current() const;
  int count() const { return m_model.rowCount(); }
  bool enterAccepts() const { return m_enterAccepts; }

Q_SIGNALS:
  void accepted(const tilescope::compiler::ast::Completion &completion);

private:
  void accept(const QModelIndex &index);
  void moveTo(int row);
  void showDocumentation();
  void setEnterAccepts(bool accepts);

  CompletionModel m_model;
  QListView *m_list;
  QLabel *m_documentation;
  bool m_enterAccepts = false;
};

} // namespace tilescope::views
