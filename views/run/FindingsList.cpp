// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/FindingsList.h"

#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QStyledItemDelegate>

#include <algorithm>

namespace tilescope::views {

/// Findings that are shown before the user asks for the others.
static constexpr size_t kFirstFindings = 5;

/// Above and below an item's text, and beside it; its icon begins where other text does.
static constexpr int kPad = 4;
static constexpr int kIconLeft = 10;

namespace {
/// Wraps the text of an item to the width of the list. The padding that styles add to Qt's own
/// sizes of wrapped items makes them wider than the list.
struct FindingDelegate : QStyledItemDelegate {
  explicit FindingDelegate(QListWidget *list) : QStyledItemDelegate(list), list(list) {}

  int iconSize() const { return QFontMetrics(list->font()).height(); }
  int textLeft() const { return kIconLeft + iconSize() + 2 * kPad; }
  QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override {
    const int width = list->viewport()->width();
    const QRect room(0, 0, std::max(1, width - textLeft() - kPad), 1 << 20);
    const QRect text =
        QFontMetrics(list->font())
            .boundingRect(room, Qt::TextWordWrap, quotedCode(index.data().toString()));
    return {width, std::max(text.height(), iconSize()) + 2 * kPad};
  }
  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override {
    QStyleOptionViewItem background = option;
    initStyleOption(&background, index);
    background.text.clear();
    background.icon = {};
    list->style()->drawControl(QStyle::CE_ItemViewItem, &background, painter, list);
    const QPoint corner = option.rect.topLeft() + QPoint(kIconLeft, kPad);
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    background.icon = index.data(Qt::DecorationRole).value<QIcon>();
    background.icon.paint(painter, QRect(corner, QSize(iconSize(), iconSize())), Qt::AlignCenter,
                          isEnabled ? QIcon::Normal : QIcon::Disabled);
    painter->setFont(list->font());
    // A link shows the others.
    painter->setPen(theme()[!isEnabled                 ? ColorRole::TextFaint
                            : background.icon.isNull() ? ColorRole::Accent
                                                       : ColorRole::Text]);
    painter->drawText(option.rect.adjusted(textLeft(), kPad, -kPad, -kPad), Qt::TextWordWrap,
                      quotedCode(index.data().toString()));
    if (list->hasFocus() && index == list->currentIndex()) {
      painter->setPen(theme()[ColorRole::Accent]);
      painter->drawRect(option.rect.adjusted(1, 0, -2, -1));
    }
  }

  QListWidget *list;
};
} // namespace

FindingsList::FindingsList(QWidget *parent) : QListWidget(parent) {
  setItemDelegate(new FindingDelegate(this));
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Findings"));
  connect(this, &QListWidget::itemClicked, this, &FindingsList::follow);
  connect(this, &QListWidget::itemActivated, this, &FindingsList::follow);
}

static QIcon iconOf(compiler::Severity severity) {
  switch (severity) {
  case compiler::Severity::Error:
    return themedIcon(QStringLiteral("error"), ColorRole::Error);
  case compiler::Severity::Warning:
    return themedIcon(QStringLiteral("warning"), ColorRole::Warning);
  case compiler::Severity::Note:
    break;
  }
  return themedIcon(QStringLiteral("info"), ColorRole::Info);
}

/// The message, what is behind it, and what Problems and the editor offer to do.
static QString words(const compiler::Diagnostic &finding) {
  QString text = QString::fromStdString(finding.message);
  if (!finding.notes.empty())
    text += QStringLiteral(" — ") + QString::fromStdString(finding.notes.front());
  QStringList fixes;
  for (const compiler::DiagnosticFix &fix : finding.fixes)
    fixes << QString::fromStdString(fix.title);
  if (!fixes.isEmpty())
    text += FindingsList::tr("; Alt+Enter in that line offers: %1").arg(fixes.join(u"; "));
  return text;
}

void FindingsList::setFindings(std::vector<compiler::Diagnostic> findings,
                               std::vector<compiler::SourceFile> files) {
  m_findings = std::move(findings);
  m_files = std::move(files);
  // The item that shows the others takes the place of one.
  fill(m_findings.size() > kFirstFindings + 1 ? kFirstFindings : m_findings.size());
}

void FindingsList::fill(size_t numShown) {
  clear();
  for (size_t i = 0; i < numShown; ++i) {
    const compiler::Diagnostic &finding = m_findings[i];
    const uint32_t file = finding.range.file;
    const QString name =
        file > 0 && file < m_files.size()
            ? QFileInfo(QString::fromStdString(m_files[file].path)).fileName() + u':'
            : tr("line ");
    auto *item = new QListWidgetItem(
        name + QStringLiteral("%1: %2").arg(finding.range.begin.line + 1).arg(words(finding)),
        this);
    item->setToolTip(item->text());
    item->setIcon(iconOf(finding.severity));
  }
  if (numShown < m_findings.size())
    addItem(tr("Show %1 more").arg(m_findings.size() - numShown));
  setVisible(count() > 0);
  fitHeight();
}

bool FindingsList::isLink(const QListWidgetItem *item) { return item->icon().isNull(); }

void FindingsList::follow(const QListWidgetItem *item) {
  const auto index = static_cast<size_t>(row(item));
  if (isLink(item)) {
    // Later: the event that led here still knows the items.
    QMetaObject::invokeMethod(this, [this] { fill(m_findings.size()); }, Qt::QueuedConnection);
    return;
  }
  const SourceRange &range = m_findings.at(index).range;
  if (range.file < m_files.size())
    Q_EMIT placeRequested(m_files[range.file], range);
}

void FindingsList::fitHeight() {
  int height = 2 * frameWidth();
  for (int i = 0; i < count(); ++i)
    height += itemDelegate()->sizeHint({}, model()->index(i, 0)).height();
  setFixedHeight(height);
  doItemsLayout();
}

bool FindingsList::event(QEvent *event) {
  // The keys of the fixes are the window's, and mean the place of the cursor: it goes to that of the item first.
  if (event->type() == QEvent::ShortcutOverride && currentItem() && !isLink(currentItem())) {
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isAlt = key->modifiers().testFlag(Qt::AltModifier);
    const bool isControl = key->modifiers().testFlag(Qt::ControlModifier);
    if ((isAlt && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) ||
        (isControl && key->key() == Qt::Key_Period))
      follow(currentItem());
  }
  return QListWidget::event(event);
}

void FindingsList::resizeEvent(QResizeEvent *event) {
  QListWidget::resizeEvent(event);
  if (event->size().width() != event->oldSize().width())
    fitHeight();
}

void FindingsList::changeEvent(QEvent *event) {
  QListWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    fitHeight();
}

} // namespace tilescope::views
