// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace tilescope::views {

/// Draws a problem over the whole width of its list: an icon for the severity, the message in as
/// many lines as it needs, and the place at the right, or below where that is too narrow. Details
/// are muted.
class ProblemDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  explicit ProblemDelegate(QTreeView *tree);

  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override;

private:
  QTreeView *m_tree;
};

} // namespace tilescope::views
