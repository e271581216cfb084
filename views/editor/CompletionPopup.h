// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/CompletionModel.h"

#include <QFrame>

class QLabel;
class QListView;

namespace tilescope::views {

/// The list under the cursor while a name is typed. The editor keeps the keyboard and passes the
/// keys that steer the list.
class CompletionPopup : public QFrame {
  Q_OBJECT
public:
  explicit CompletionPopup(QWidget *parent);

  /// Shows the list below (or above) the cursor's rectangle, given in global coordinates.
  void present(std::vector<Completion> completions, const QRect &cursor);
  /// True when the key steered the list or took an entry.
  bool handleKey(int key);
  QString current() const;
  int count() const { return m_model.rowCount(); }

Q_SIGNALS:
  void accepted(const QString &insert);

private:
  void moveBy(int rows);
  void showDocumentation();

  CompletionModel m_model;
  QListView *m_list;
  QLabel *m_documentation;
};

} // namespace tilescope::views
