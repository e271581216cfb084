// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/CompletionPopup.h"

#include "views/common/Theme.h"
#include "views/editor/PopupPlacement.h"

#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace tilescope::views {

static constexpr int kWidth = 480;
static constexpr int kMaxRows = 9;

using compiler::ast::CompletionKind;

/// Whether Enter takes the row in use; a property of the list that its delegate reads.
static constexpr const char *kEnterAccepts = "enterAccepts";

namespace {
/// A letter for the kind, the name, and what it takes, muted; on the row in use the key that takes
/// it.
class CompletionDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override {
    return {kWidth - 20, QFontMetrics(codeFont()).height() + 7};
  }

  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override {
    painter->save();
    painter->setFont(codeFont());
    QRect rest = option.rect.adjusted(8, 0, -8, 0);
    if (option.state & QStyle::State_Selected) {
      painter->fillRect(option.rect, theme()[ColorRole::Selection]);
      const QString key = parent()->property(kEnterAccepts).toBool() ? tr("Enter") : tr("Tab");
      painter->setPen(theme()[ColorRole::Text]);
      painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter, key);
      rest.setRight(rest.right() - painter->fontMetrics().horizontalAdvance(key) - 8);
    }
    const auto kind = static_cast<CompletionKind>(index.data(CompletionModel::KindRole).toInt());
    const auto [letter, role] = badge(kind);
    painter->setPen(theme()[role]);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, QString(letter));
    rest.setLeft(rest.left() + 20);
    painter->setPen(theme()[ColorRole::Text]);
    const QString label = index.data().toString();
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, label);
    rest.setLeft(rest.left() + painter->fontMetrics().horizontalAdvance(label) + 16);
    painter->setPen(theme()[ColorRole::TextMuted]);
    painter->drawText(
        rest, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(index.data(CompletionModel::DetailRole).toString(),
                                          Qt::ElideRight, rest.width()));
    painter->restore();
  }

private:
  static std::pair<QChar, ColorRole> badge(CompletionKind kind) {
    switch (kind) {
    case CompletionKind::Function:
    case CompletionKind::Kernel:
    case CompletionKind::Method:
      return {u'ƒ', ColorRole::Language};
    case CompletionKind::Type:
      return {u'T', ColorRole::Type};
    case CompletionKind::Module:
      return {u'm', ColorRole::Decorator};
    case CompletionKind::Constexpr:
    case CompletionKind::Property:
      return {u'c', ColorRole::Constexpr};
    case CompletionKind::Keyword:
    case CompletionKind::KeywordArgument:
      return {u'k', ColorRole::Keyword};
    case CompletionKind::Variable:
    case CompletionKind::Parameter:
      break;
    }
    return {u'x', ColorRole::Argument};
  }
};
} // namespace

CompletionPopup::CompletionPopup(QWidget *parent)
    : QFrame(parent), m_list(new QListView(this)), m_documentation(new QLabel(this)) {
  makePopup(*this);
  m_list->setModel(&m_model);
  m_list->setItemDelegate(new CompletionDelegate(m_list));
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setUniformItemSizes(true);
  // A list of one row is that low.
  m_list->setMinimumHeight(1);
  m_documentation->setWordWrap(true);
  m_documentation->setProperty("muted", true);
  m_documentation->setContentsMargins(8, 5, 8, 5);
  m_documentation->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->setSpacing(0);
  layout->addWidget(m_list, 1);
  layout->addWidget(m_documentation);
  connect(m_list, &QListView::clicked, this, &CompletionPopup::accept);
}

void CompletionPopup::present(compiler::ast::CompletionList list, const QRect &cursor) {
  if (list.items.empty()) {
    hide();
    return;
  }
  m_model.setCompletions(std::move(list.items));
  setEnterAccepts(list.onlyOneContinues);
  m_list->setCurrentIndex(m_model.index(0));
  showDocumentation();
  const int rows = std::min(kMaxRows, m_model.rowCount());
  const int documentation =
      m_documentation->isHidden() ? 0 : m_documentation->heightForWidth(kWidth - 2);
  const QSize size(kWidth, rows * m_list->sizeHintForRow(0) + documentation + 4);
  // The names are below the one that is typed.
  setGeometry(placeBeside(size, cursor.translated(-28, 0), screenAround(cursor, *parentWidget()),
                          PopupSide::Below));
  show();
}

void CompletionPopup::accept(const QModelIndex &index) {
  // The list changes with what is accepted.
  const compiler::ast::Completion completion = m_model.completion(index.row());
  Q_EMIT accepted(completion);
}

void CompletionPopup::setEnterAccepts(bool accepts) {
  m_enterAccepts = accepts;
  m_list->setProperty(kEnterAccepts, accepts);
}

void CompletionPopup::showDocumentation() {
  const QString text = m_list->currentIndex().data(CompletionModel::DocumentationRole).toString();
  m_documentation->setText(text.section(u'\n', 0, 2));
  m_documentation->setHidden(text.isEmpty());
}

void CompletionPopup::moveTo(int row) {
  m_list->setCurrentIndex(m_model.index(row));
  setEnterAccepts(true);
  showDocumentation();
}

QString CompletionPopup::current() const { return m_list->currentIndex().data().toString(); }

bool CompletionPopup::handleKey(int key) {
  const int count = m_model.rowCount();
  const int row = m_list->currentIndex().row();
  switch (key) {
  case Qt::Key_Down:
    moveTo((row + 1) % count);
    return true;
  case Qt::Key_Up:
    moveTo((row + count - 1) % count);
    return true;
  case Qt::Key_PageDown:
    moveTo(std::min(row + kMaxRows, count - 1));
    return true;
  case Qt::Key_PageUp:
    moveTo(std::max(row - kMaxRows, 0));
    return true;
  case Qt::Key_Escape:
    hide();
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (!m_enterAccepts)
      return false;
    [[fallthrough]];
  case Qt::Key_Tab:
    accept(m_list->currentIndex());
    return true;
  default:
    return false;
  }
}

} // namespace tilescope::views
