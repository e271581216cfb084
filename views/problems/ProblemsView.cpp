// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/problems/ProblemsView.h"

#include "views/common/Theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTreeView>

namespace tilescope::views {

namespace {
/// Icon and colours by severity, details muted.
class ProblemDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant severity = index.data(ProblemsModel::SeverityRole);
    if (index.column() != ProblemsModel::MessageColumn || !severity.isValid()) {
      option->palette.setColor(QPalette::Text, theme()[ColorRole::TextMuted]);
      return;
    }
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(14, 14);
    switch (static_cast<compiler::Severity>(severity.toInt())) {
    case compiler::Severity::Error:
      option->icon = themedIcon(QStringLiteral("error"), ColorRole::Error);
      break;
    case compiler::Severity::Warning:
      option->icon = themedIcon(QStringLiteral("warning"), ColorRole::Warning);
      break;
    case compiler::Severity::Note:
      option->icon = themedIcon(QStringLiteral("info"), ColorRole::Info);
      break;
    }
  }
};
} // namespace

ProblemsView::ProblemsView(QWidget *parent)
    : QWidget(parent), m_model(new ProblemsModel(this)), m_tree(new QTreeView(this)),
      m_empty(new QLabel(tr("No problems"), this)) {
  m_tree->setModel(m_model);
  m_tree->setItemDelegate(new ProblemDelegate(m_tree));
  m_tree->setUniformRowHeights(true);
  m_tree->setRootIsDecorated(true);
  m_tree->header()->setStretchLastSection(false);
  m_tree->header()->setSectionResizeMode(ProblemsModel::MessageColumn, QHeaderView::Stretch);
  m_tree->header()->setSectionResizeMode(ProblemsModel::PlaceColumn, QHeaderView::ResizeToContents);
  m_tree->header()->setSectionResizeMode(ProblemsModel::KindColumn, QHeaderView::ResizeToContents);
  m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
  m_tree->setAccessibleName(tr("Problems"));
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setProperty("faint", true);
  m_empty->setProperty("panel", true);
  auto *layout = new QStackedLayout(this);
  layout->addWidget(m_tree);
  layout->addWidget(m_empty);
  layout->setCurrentWidget(m_empty);
  connect(m_tree, &QTreeView::clicked, this, &ProblemsView::activate);
  connect(m_tree, &QTreeView::activated, this, &ProblemsView::activate);
  connect(m_tree, &QTreeView::customContextMenuRequested, this, [this](const QPoint &point) {
    const QModelIndex index = m_tree->indexAt(point);
    const compiler::DiagnosticFix *fix = m_model->fixAt(index);
    if (!fix)
      return;
    const compiler::DiagnosticFix chosen = *fix;
    QMenu menu(this);
    menu.addAction(QString::fromStdString(chosen.title), this,
                   [this, chosen] { Q_EMIT fixRequested(chosen); });
    menu.exec(m_tree->viewport()->mapToGlobal(point));
  });
}

void ProblemsView::setDiagnostics(std::vector<compiler::Diagnostic> diagnostics,
                                  std::vector<compiler::SourceFile> files) {
  m_model->setDiagnostics(std::move(diagnostics), std::move(files));
  for (int row = 0; row < m_model->rowCount(); ++row)
    if (m_model->rowCount(m_model->index(row, 0)) <= 3)
      m_tree->setExpanded(m_model->index(row, 0), true);
  auto *layout = static_cast<QStackedLayout *>(this->layout());
  layout->setCurrentWidget(m_model->rowCount() > 0 ? static_cast<QWidget *>(m_tree) : m_empty);
}

void ProblemsView::activate(const QModelIndex &index) {
  const QModelIndex first = index.siblingAtColumn(0);
  if (first.parent().isValid() && m_model->fixAt(first))
    Q_EMIT fixRequested(*m_model->fixAt(first));
  else if (first.isValid())
    Q_EMIT placeRequested(m_model->rangeAt(first));
}

void ProblemsView::step(bool forward) {
  const int count = m_model->rowCount();
  if (count == 0)
    return;
  QModelIndex current = m_tree->currentIndex();
  while (current.parent().isValid())
    current = current.parent();
  const int row = current.isValid() ? (current.row() + (forward ? 1 : count - 1)) % count : 0;
  m_tree->setCurrentIndex(m_model->index(row, 0));
  activate(m_model->index(row, 0));
}

void ProblemsView::select(const SourceRange &range) {
  for (int row = 0; row < m_model->rowCount(); ++row)
    if (m_model->rangeAt(m_model->index(row, 0)) == range)
      return m_tree->setCurrentIndex(m_model->index(row, 0));
}

} // namespace tilescope::views
