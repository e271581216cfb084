// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/CompletionPopup.h"

#include "views/common/Theme.h"

#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace tilescope::views {

static constexpr int kWidth = 480;
static constexpr int kMaxRows = 9;

namespace {
/// A letter for the kind, the name, and what it takes, muted, at the right.
class CompletionDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override {
    return {kWidth - 20, QFontMetrics(codeFont()).height() + 7};
  }

  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override {
    painter->save();
    if (option.state & QStyle::State_Selected)
      painter->fillRect(option.rect, theme()[ColorRole::Selection]);
    painter->setFont(codeFont());
    const auto kind =
        static_cast<LanguageEntry::Kind>(index.data(CompletionModel::KindRole).toInt());
    const auto [letter, role] = badge(kind);
    painter->setPen(theme()[role]);
    painter->drawText(option.rect.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      QString(letter));
    painter->setPen(theme()[ColorRole::Text]);
    const QString label = index.data().toString();
    const QRect labelRect = option.rect.adjusted(28, 0, -8, 0);
    painter->drawText(labelRect, Qt::AlignLeft | Qt::AlignVCenter, label);
    const int used = painter->fontMetrics().horizontalAdvance(label) + 16;
    painter->setPen(theme()[ColorRole::TextFaint]);
    const QRect detailRect = labelRect.adjusted(used, 0, 0, 0);
    painter->drawText(
        detailRect, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(index.data(CompletionModel::DetailRole).toString(),
                                          Qt::ElideRight, detailRect.width()));
    painter->restore();
  }

private:
  static std::pair<QChar, ColorRole> badge(LanguageEntry::Kind kind) {
    switch (kind) {
    case LanguageEntry::Kind::Function:
    case LanguageEntry::Kind::Method:
      return {u'ƒ', ColorRole::Language};
    case LanguageEntry::Kind::Type:
      return {u'T', ColorRole::Type};
    case LanguageEntry::Kind::Module:
      return {u'm', ColorRole::Decorator};
    case LanguageEntry::Kind::Constant:
      return {u'c', ColorRole::Constexpr};
    case LanguageEntry::Kind::Keyword:
      return {u'k', ColorRole::Keyword};
    case LanguageEntry::Kind::Local:
      break;
    }
    return {u'x', ColorRole::Argument};
  }
};
} // namespace

CompletionPopup::CompletionPopup(QWidget *parent)
    : QFrame(parent), m_list(new QListView(this)), m_documentation(new QLabel(this)) {
  setProperty("popup", true);
  setAttribute(Qt::WA_StyledBackground);
  m_list->setModel(&m_model);
  m_list->setItemDelegate(new CompletionDelegate(m_list));
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setUniformItemSizes(true);
  m_documentation->setWordWrap(true);
  m_documentation->setProperty("muted", true);
  m_documentation->setContentsMargins(8, 5, 8, 5);
  m_documentation->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->setSpacing(0);
  layout->addWidget(m_list, 1);
  layout->addWidget(m_documentation);
  connect(m_list, &QListView::clicked, this, [this](const QModelIndex &index) {
    Q_EMIT accepted(index.data(CompletionModel::InsertRole).toString());
  });
  hide();
}

void CompletionPopup::present(std::vector<Completion> completions, const QRect &cursor) {
  if (completions.empty()) {
    hide();
    return;
  }
  m_model.setCompletions(std::move(completions));
  m_list->setCurrentIndex(m_model.index(0));
  showDocumentation();
  const int rows = std::min(kMaxRows, m_model.rowCount());
  const int rowHeight = m_list->sizeHintForRow(0);
  const int documentation =
      m_documentation->isHidden() ? 0 : m_documentation->heightForWidth(kWidth - 2);
  resize(kWidth, rows * rowHeight + documentation + 4);
  const QPoint low = parentWidget()->mapFromGlobal(cursor.bottomLeft());
  const QPoint high = parentWidget()->mapFromGlobal(cursor.topLeft());
  const bool below = low.y() + height() + 4 <= parentWidget()->height() || high.y() < height();
  move(std::clamp(low.x() - 28, 0, std::max(0, parentWidget()->width() - width())),
       below ? low.y() + 3 : high.y() - height() - 3);
  show();
  raise();
}

void CompletionPopup::showDocumentation() {
  const QString text = m_list->currentIndex().data(CompletionModel::DocumentationRole).toString();
  m_documentation->setText(text.section(u'\n', 0, 2));
  m_documentation->setHidden(text.isEmpty());
}

void CompletionPopup::moveBy(int rows) {
  const int count = m_model.rowCount();
  const int row = (m_list->currentIndex().row() + rows + count) % count;
  m_list->setCurrentIndex(m_model.index(row));
  showDocumentation();
}

QString CompletionPopup::current() const {
  return m_list->currentIndex().data(CompletionModel::InsertRole).toString();
}

bool CompletionPopup::handleKey(int key) {
  switch (key) {
  case Qt::Key_Down:
    moveBy(1);
    return true;
  case Qt::Key_Up:
    moveBy(-1);
    return true;
  case Qt::Key_PageDown:
    moveBy(std::min(kMaxRows, m_model.rowCount() - 1 - m_list->currentIndex().row()));
    return true;
  case Qt::Key_PageUp:
    moveBy(-std::min(kMaxRows, m_list->currentIndex().row()));
    return true;
  case Qt::Key_Escape:
    hide();
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
  case Qt::Key_Tab:
    Q_EMIT accepted(current());
    return true;
  default:
    return false;
  }
}

} // namespace tilescope::views
