// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QFont>
#include <QHash>
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

  /// Whether the problems are of an earlier text, which is drawn faintly.
  void setOutdated(bool isOutdated) { m_isOutdated = isOutdated; }

  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override;

private:
  /// Where the parts of a row lie, from its upper left corner.
  struct RowLayout {
    QRect icon;
    QRect text;
    QRect place;
    /// Around icon and text of a fix or a picture; empty for other rows.
    QRect button;
    /// Below it; empty: there is none.
    QRect image;
    int height = 0;
  };

  void paintButton(QPainter *painter, const QModelIndex &index, const RowLayout &row,
                   QPoint corner) const;
  /// Of a fix or a picture: its text fits one line, or ends in an ellipsis.
  RowLayout layOutButton(const QString &text, const QImage &image, int width) const;
  RowLayout layOut(const QModelIndex &index, int width) const;
  int widthOf(const QString &text) const;
  /// In lines of at most this width.
  int heightOf(const QString &text, int width) const;
  void forgetOtherFont() const;

  QTreeView *m_tree;
  bool m_isOutdated = false;
  // Shaping text is most of the work of a list that is rebuilt after every compile.
  mutable QFont m_font;
  mutable QHash<QString, int> m_widths;
  mutable QHash<std::pair<QString, int>, int> m_heights;
};

} // namespace tilescope::views
