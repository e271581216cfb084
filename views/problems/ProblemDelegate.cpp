// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/problems/ProblemDelegate.h"

#include "compiler/artifacts/CompileResult.h"
#include "views/common/Theme.h"
#include "views/problems/ProblemsModel.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>
#include <QTreeView>

#include <cmath>

namespace tilescope::views {

using compiler::Severity;

static constexpr int kPad = 4;
static constexpr int kBetween = 14;

namespace {
/// Where the parts of a row lie, from its upper left corner.
struct RowLayout {
  QRect icon;
  QRect text;
  QRect place;
  int height = 0;
};
} // namespace

/// Lays text out in lines of this width; words longer than a line are broken.
static int wrap(QTextLayout &layout, int width) {
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  qreal height = 0;
  layout.beginLayout();
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(std::max(1, width));
    line.setPosition({0, height});
    height += line.height();
  }
  layout.endLayout();
  return static_cast<int>(std::ceil(height));
}

static RowLayout layOut(const QModelIndex &index, const QFont &font, int width) {
  const QFontMetrics metrics(font);
  const QString text = index.data().toString();
  const QString place = index.data(ProblemsModel::PlaceRole).toString();
  const bool hasIcon = index.data(ProblemsModel::SeverityRole).isValid();
  RowLayout row;
  const int side = metrics.height();
  row.icon = QRect(kPad, kPad, hasIcon ? side : 0, side);
  const int left = row.icon.right() + 1 + (hasIcon ? 6 : 0);
  const int room = width - left - kPad;
  const int placeWidth = place.isEmpty() ? 0 : metrics.horizontalAdvance(place) + 2;
  const bool isBeside = placeWidth == 0 ||
                        metrics.horizontalAdvance(text) <= room - placeWidth - kBetween ||
                        room - placeWidth - kBetween > room * 2 / 3;
  const int textWidth = isBeside && placeWidth > 0 ? room - placeWidth - kBetween : room;
  QTextLayout layout(text, font);
  row.text = QRect(left, kPad, textWidth, wrap(layout, textWidth));
  if (placeWidth > 0)
    row.place = isBeside ? QRect(width - kPad - placeWidth, kPad, placeWidth, side)
                         : QRect(left, row.text.bottom() + 1, std::min(placeWidth, room), side);
  row.height = std::max({row.icon.bottom(), row.text.bottom(), row.place.bottom()}) + 1 + kPad;
  return row;
}

ProblemDelegate::ProblemDelegate(QTreeView *tree) : QStyledItemDelegate(tree), m_tree(tree) {}

QSize ProblemDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const {
  const int depth = index.parent().isValid() ? 2 : 1;
  const int width = m_tree->viewport()->width() - depth * m_tree->indentation();
  return {width, layOut(index, m_tree->font(), width).height};
}

static QIcon iconOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return themedIcon(QStringLiteral("error"), ColorRole::Error);
  case Severity::Warning:
    return themedIcon(QStringLiteral("warning"), ColorRole::Warning);
  case Severity::Note:
    break;
  }
  return themedIcon(QStringLiteral("info"), ColorRole::Info);
}

void ProblemDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const {
  QStyleOptionViewItem background = option;
  initStyleOption(&background, index);
  background.text.clear();
  m_tree->style()->drawControl(QStyle::CE_ItemViewItem, &background, painter, m_tree);
  const RowLayout row = layOut(index, m_tree->font(), option.rect.width());
  const QPoint corner = option.rect.topLeft();
  const QVariant severity = index.data(ProblemsModel::SeverityRole);
  const bool isSelected = option.state & QStyle::State_Selected;
  const ColorRole muted = isSelected ? ColorRole::Text : ColorRole::TextMuted;
  painter->save();
  painter->setFont(m_tree->font());
  if (severity.isValid())
    iconOf(static_cast<Severity>(severity.toInt())).paint(painter, row.icon.translated(corner));
  QFont font = m_tree->font();
  const bool isFix = !severity.isValid() && index.data(ProblemsModel::FixRole).toBool();
  font.setUnderline(isFix);
  painter->setPen(theme()[severity.isValid()     ? ColorRole::Text
                          : isFix && !isSelected ? ColorRole::Accent
                                                 : muted]);
  QTextLayout layout(index.data().toString(), font);
  wrap(layout, row.text.width());
  layout.draw(painter, corner + row.text.topLeft());
  painter->setPen(theme()[muted]);
  painter->drawText(row.place.translated(corner), Qt::AlignRight | Qt::AlignVCenter,
                    index.data(ProblemsModel::PlaceRole).toString());
  painter->restore();
}

} // namespace tilescope::views
