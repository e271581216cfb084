// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/problems/ProblemDelegate.h"

#include "compiler/artifacts/CompileResult.h"
#include "views/common/QuotedCode.h"
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
/// Behind the place of a problem, at the window's edge.
static constexpr int kEdge = 10;
static constexpr int kBetween = 14;
/// Between the border of a button and what is in it.
static constexpr int kInButton = 8;
static constexpr qsizetype kMaxKnownSizes = 2000;

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

void ProblemDelegate::forgetOtherFont() const {
  if (m_font == m_tree->font() && m_widths.size() + m_heights.size() < kMaxKnownSizes)
    return;
  m_font = m_tree->font();
  m_widths.clear();
  m_heights.clear();
}

int ProblemDelegate::widthOf(const QString &text) const {
  auto known = m_widths.find(text);
  if (known == m_widths.end())
    known = m_widths.insert(text, QFontMetrics(m_font).horizontalAdvance(text));
  return *known;
}

int ProblemDelegate::heightOf(const QString &text, int width) const {
  const std::pair key(text, width);
  auto known = m_heights.find(key);
  if (known == m_heights.end()) {
    QTextLayout layout(text, m_font);
    known = m_heights.insert(key, wrap(layout, width));
  }
  return *known;
}

static bool isButtonRow(const QModelIndex &index) {
  return index.parent().isValid() && (index.data(ProblemsModel::FixRole).toBool() ||
                                      !index.data(ProblemsModel::PictureRole).toString().isEmpty());
}

static QImage imageOf(const QModelIndex &index) {
  return index.data(ProblemsModel::ImageRole).value<QImage>();
}

ProblemDelegate::RowLayout ProblemDelegate::layOutButton(const QString &text, const QImage &image,
                                                         int width) const {
  const int side = QFontMetrics(m_font).height();
  RowLayout row;
  row.icon = QRect(kPad + kInButton, kPad + 2, side, side);
  const int left = row.icon.right() + 6;
  const int room = width - left - kInButton - kPad;
  row.text = QRect(left, kPad + 2, std::min(widthOf(text) + 2, room), side);
  row.button = QRect(kPad, kPad, row.text.right() + kInButton - kPad, side + 4);
  row.height = row.button.bottom() + 1 + kPad;
  if (image.isNull())
    return row;
  // A narrow list shows its left part.
  const QSize size = image.deviceIndependentSize().toSize();
  row.image = QRect(kPad, row.height, std::min(size.width(), width - 2 * kPad), size.height());
  row.height = row.image.bottom() + 1 + kPad;
  return row;
}

ProblemDelegate::RowLayout ProblemDelegate::layOut(const QModelIndex &index, int width) const {
  forgetOtherFont();
  const QFontMetrics metrics(m_font);
  const QString text = quotedCode(index.data().toString());
  if (isButtonRow(index))
    return layOutButton(text, imageOf(index), width);
  const QString place = index.data(ProblemsModel::PlaceRole).toString();
  const bool hasIcon = index.data(ProblemsModel::SeverityRole).isValid();
  RowLayout row;
  const int side = metrics.height();
  row.icon = QRect(kPad, kPad, hasIcon ? side : 0, side);
  const int left = row.icon.right() + 1 + (hasIcon ? 6 : 0);
  const int room = width - left - kEdge;
  const int placeWidth = place.isEmpty() ? 0 : widthOf(place) + 2;
  const bool isBeside = placeWidth == 0 || widthOf(text) <= room - placeWidth - kBetween ||
                        room - placeWidth - kBetween > room * 2 / 3;
  const int textWidth = isBeside && placeWidth > 0 ? room - placeWidth - kBetween : room;
  row.text = QRect(left, kPad, textWidth, heightOf(text, textWidth));
  if (placeWidth > 0)
    row.place = isBeside ? QRect(width - kEdge - placeWidth, kPad, placeWidth, side)
                         : QRect(left, row.text.bottom() + 1, std::min(placeWidth, room), side);
  row.height = std::max({row.icon.bottom(), row.text.bottom(), row.place.bottom()}) + 1 + kPad;
  return row;
}

ProblemDelegate::ProblemDelegate(QTreeView *tree) : QStyledItemDelegate(tree), m_tree(tree) {}

QSize ProblemDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const {
  const int depth = index.parent().isValid() ? 2 : 1;
  const int width = m_tree->viewport()->width() - depth * m_tree->indentation();
  return {width, layOut(index, width).height};
}

/// `severity`: as the model's role has it; a hint with a fix has the editor's full bulb.
static QIcon iconOf(int severity, bool hasFix) {
  if (severity == ProblemsModel::kHintSeverity)
    return themedIcon(hasFix ? QStringLiteral("fix") : QStringLiteral("hint"), ColorRole::Accent);
  switch (static_cast<Severity>(severity)) {
  case Severity::Error:
    return themedIcon(QStringLiteral("error"), ColorRole::Error);
  case Severity::Warning:
    return themedIcon(QStringLiteral("warning"), ColorRole::Warning);
  case Severity::Note:
    break;
  }
  return themedIcon(QStringLiteral("info"), ColorRole::Info);
}

void ProblemDelegate::paintButton(QPainter *painter, const QModelIndex &index, const RowLayout &row,
                                  QPoint corner) const {
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(theme()[ColorRole::BorderStrong]);
  painter->setBrush(theme()[ColorRole::Raised]);
  painter->drawRoundedRect(QRectF(row.button.translated(corner)).adjusted(0.5, 0.5, -0.5, -0.5), 4,
                           4);
  const bool isFix = index.data(ProblemsModel::FixRole).toBool();
  themedIcon(isFix ? QStringLiteral("hint") : QStringLiteral("search"), ColorRole::Accent)
      .paint(painter, row.icon.translated(corner));
  painter->setPen(theme()[ColorRole::Text]);
  painter->drawText(row.text.translated(corner), Qt::AlignVCenter | Qt::AlignLeft,
                    painter->fontMetrics().elidedText(quotedCode(index.data().toString()),
                                                      Qt::ElideRight, row.text.width()));
  if (row.image.isEmpty())
    return;
  const QRect area = row.image.translated(corner);
  painter->save();
  painter->setClipRect(area);
  painter->drawImage(area.topLeft(), imageOf(index));
  painter->restore();
  painter->setPen(theme()[ColorRole::Border]);
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(area.adjusted(0, 0, -1, -1));
}

void ProblemDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const {
  QStyleOptionViewItem background = option;
  initStyleOption(&background, index);
  background.text.clear();
  m_tree->style()->drawControl(QStyle::CE_ItemViewItem, &background, painter, m_tree);
  const RowLayout row = layOut(index, option.rect.width());
  const QPoint corner = option.rect.topLeft();
  const QVariant severity = index.data(ProblemsModel::SeverityRole);
  const bool isSelected = option.state & QStyle::State_Selected;
  const ColorRole plain = m_isOutdated && !isSelected ? ColorRole::TextFaint : ColorRole::Text;
  const ColorRole muted = isSelected     ? ColorRole::Text
                          : m_isOutdated ? ColorRole::TextFaint
                                         : ColorRole::TextMuted;
  painter->save();
  painter->setFont(m_tree->font());
  if (severity.isValid())
    iconOf(severity.toInt(), index.data(ProblemsModel::FixRole).toBool())
        .paint(painter, row.icon.translated(corner), Qt::AlignCenter,
               m_isOutdated ? QIcon::Disabled : QIcon::Normal);
  if (!row.button.isEmpty()) {
    paintButton(painter, index, row, corner);
    painter->restore();
    return;
  }
  painter->setPen(theme()[severity.isValid() ? plain : muted]);
  QTextLayout layout(quotedCode(index.data().toString()), m_tree->font());
  wrap(layout, row.text.width());
  layout.draw(painter, corner + row.text.topLeft());
  painter->setPen(theme()[muted]);
  // The line's number is at the end: what does not fit is cut from the file's name.
  const QString place = index.data(ProblemsModel::PlaceRole).toString();
  painter->drawText(row.place.translated(corner), Qt::AlignRight | Qt::AlignVCenter,
                    painter->fontMetrics().elidedText(place, Qt::ElideLeft, row.place.width()));
  painter->restore();
}

} // namespace tilescope::views
