// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/problems/ProblemsView.h"

#include "views/common/MenuText.h"
#include "views/problems/ProblemDelegate.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QStackedLayout>
#include <QTreeView>

namespace tilescope::views {

ProblemsView::ProblemsView(QWidget *parent)
    : QWidget(parent), m_model(new ProblemsModel(this)), m_tree(new QTreeView(this)),
      m_empty(new QLabel(this)) {
  m_tree->setModel(m_model);
  m_tree->setItemDelegate(new ProblemDelegate(m_tree));
  m_tree->setHeaderHidden(true);
  m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_tree->viewport()->installEventFilter(this);
  m_tree->viewport()->setMouseTracking(true);
  m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
  m_tree->setAccessibleName(tr("Problems"));
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
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
    menu.addAction(menuText(QString::fromStdString(chosen.title)), this,
                   [this, chosen] { Q_EMIT fixRequested(chosen); });
    menu.exec(m_tree->viewport()->mapToGlobal(point));
  });
}

bool ProblemsView::eventFilter(QObject *watched, QEvent *event) {
  // Rows are as high as their wrapped text needs in this width and font.
  if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange ||
      event->type() == QEvent::StyleChange)
    m_tree->doItemsLayout();
  if (event->type() == QEvent::MouseMove) {
    const QModelIndex index = m_tree->indexAt(static_cast<QMouseEvent *>(event)->pos());
    const bool isFix = index.parent().isValid() && m_model->fixAt(index);
    m_tree->viewport()->setCursor(isFix ? Qt::PointingHandCursor : Qt::ArrowCursor);
  }
  return QWidget::eventFilter(watched, event);
}

void ProblemsView::setDiagnostics(std::vector<compiler::Diagnostic> diagnostics,
                                  std::vector<compiler::SourceFile> files, const QString &unchecked,
                                  std::vector<compiler::Hint> hints) {
  m_empty->setText(unchecked.isEmpty() ? tr("No problems were found.") : unchecked);
  m_model->setDiagnostics(std::move(diagnostics), std::move(files), std::move(hints));
  for (int row = 0; row < m_model->rowCount(); ++row)
    if (m_model->rowCount(m_model->index(row, 0)) <= 3)
      m_tree->setExpanded(m_model->index(row, 0), true);
  auto *layout = static_cast<QStackedLayout *>(this->layout());
  layout->setCurrentWidget(m_model->rowCount() > 0 ? static_cast<QWidget *>(m_tree) : m_empty);
}

void ProblemsView::activate(const QModelIndex &index) {
  if (index.parent().isValid() && m_model->fixAt(index))
    Q_EMIT fixRequested(*m_model->fixAt(index));
  else if (const SourceRange range = m_model->rangeAt(index); range != SourceRange{})
    Q_EMIT placeRequested(range);
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
