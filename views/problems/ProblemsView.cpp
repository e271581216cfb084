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
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace tilescope::views {

ProblemsView::ProblemsView(QWidget *parent)
    : QWidget(parent), m_model(new ProblemsModel(this)), m_tree(new QTreeView(this)),
      m_delegate(new ProblemDelegate(m_tree)), m_header(new QWidget(this)),
      m_empty(new QLabel(this)) {
  m_tree->setModel(m_model);
  m_tree->setItemDelegate(m_delegate);
  m_tree->setHeaderHidden(true);
  m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_tree->installEventFilter(this);
  m_tree->viewport()->installEventFilter(this);
  m_tree->viewport()->setMouseTracking(true);
  m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
  m_tree->setAccessibleName(tr("Problems"));
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setProperty("faint", true);
  m_empty->setProperty("panel", true);
  createHeader();
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  m_pages = new QStackedLayout;
  layout->addWidget(m_header);
  layout->addLayout(m_pages, 1);
  m_pages->addWidget(m_tree);
  m_pages->addWidget(m_empty);
  m_pages->setCurrentWidget(m_empty);
  m_tree->setExpandsOnDoubleClick(false);
  connect(m_tree, &QTreeView::clicked, this, [this](const QModelIndex &index) {
    if (isButton(index) && !m_isSecondClick)
      activate(index);
  });
  connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex &index) {
    if (!m_isSecondClick || !m_hasClickedFix)
      activate(index);
  });
  connect(m_tree, &QTreeView::customContextMenuRequested, this, &ProblemsView::showMenu);
}

/// Of a problem with all its fixes, or of one of these.
void ProblemsView::showMenu(const QPoint &point) {
  const QModelIndex index = m_tree->indexAt(point);
  std::vector<QModelIndex> offered = m_model->fixesUnder(index);
  if (offered.empty() && m_model->fixAt(index))
    offered.push_back(index);
  if (offered.empty())
    return;
  auto *menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const QModelIndex &each : offered)
    menu->addAction(menuText(each.data().toString()), this,
                    [this, fix = *m_model->fixAt(each)] { Q_EMIT fixRequested(fix); });
  menu->popup(m_tree->viewport()->mapToGlobal(point));
}

void ProblemsView::createHeader() {
  m_header->setProperty("bar", true);
  m_header->setAttribute(Qt::WA_StyledBackground);
  auto *row = new QHBoxLayout(m_header);
  row->setContentsMargins(2, 2, 6, 2);
  row->setSpacing(2);
  for (size_t i = 0; i < m_sources.size(); ++i) {
    auto *button = new QToolButton(m_header);
    button->setCheckable(true);
    button->setChecked(true);
    m_sources[i] = button;
    row->addWidget(button);
    connect(button, &QToolButton::toggled, this, [this, i](bool isShown) {
      m_model->setShown(static_cast<ProblemSource>(i), isShown);
      showRows();
    });
  }
  row->addStretch(1);
  updateHeader();
}

static QString nameOf(ProblemSource source) {
  switch (source) {
  case ProblemSource::Compiler:
    return ProblemsView::tr("Compiler");
  case ProblemSource::Launch:
    return ProblemsView::tr("Launch");
  case ProblemSource::Run:
    return ProblemsView::tr("Run");
  case ProblemSource::Hints:
    return ProblemsView::tr("Hints");
  }
  return {};
}

void ProblemsView::updateHeader() {
  for (size_t i = 0; i < m_sources.size(); ++i) {
    const auto source = static_cast<ProblemSource>(i);
    const int count = m_model->count(source);
    m_sources[i]->setText(tr("%1 %2").arg(nameOf(source)).arg(count));
    m_sources[i]->setToolTip(tr("List what comes from: %1").arg(nameOf(source)));
    m_sources[i]->setVisible(count > 0);
  }
}

bool ProblemsView::isFix(const QModelIndex &index) const {
  return index.parent().isValid() && m_model->fixAt(index);
}

bool ProblemsView::isButton(const QModelIndex &index) const {
  return isFix(index) || !m_model->pictureAt(index).isEmpty();
}

bool ProblemsView::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_tree) {
    if (event->type() == QEvent::KeyPress)
      m_isSecondClick = false;
    return QWidget::eventFilter(watched, event);
  }
  // The first of two clicks has applied the fix, and another row may be there now.
  if (event->type() == QEvent::MouseButtonPress)
    m_hasClickedFix = isButton(m_tree->indexAt(static_cast<QMouseEvent *>(event)->pos()));
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick)
    m_isSecondClick = event->type() == QEvent::MouseButtonDblClick;
  // Rows are as high as their wrapped text needs in this width and font.
  if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange ||
      event->type() == QEvent::StyleChange)
    m_tree->doItemsLayout();
  if (event->type() == QEvent::MouseMove) {
    const QModelIndex index = m_tree->indexAt(static_cast<QMouseEvent *>(event)->pos());
    m_tree->viewport()->setCursor(isButton(index) ? Qt::PointingHandCursor : Qt::ArrowCursor);
  }
  return QWidget::eventFilter(watched, event);
}

void ProblemsView::setDiagnostics(std::vector<compiler::Diagnostic> diagnostics,
                                  std::vector<compiler::SourceFile> files, const QString &unchecked,
                                  std::vector<compiler::Hint> hints) {
  m_unchecked = unchecked;
  m_model->setDiagnostics(std::move(diagnostics), std::move(files), std::move(hints));
  updateHeader();
  showRows();
}

void ProblemsView::showRows() {
  const bool isFiltered =
      m_model->rowCount() == 0 && (!m_model->diagnostics().empty() || !m_model->hints().empty());
  m_empty->setText(isFiltered               ? tr("All problems are hidden by the choices above.")
                   : m_isOutdated           ? tr("Compiling…")
                   : !m_unchecked.isEmpty() ? m_unchecked
                   : m_isRunning            ? tr("Running…")
                                            : tr("No problems were found."));
  for (int row = 0; row < m_model->rowCount(); ++row) {
    const QModelIndex index = m_model->index(row, 0);
    if (m_model->isOpenAtFirst(row))
      m_tree->setExpanded(index, true);
  }
  m_pages->setCurrentWidget(m_model->rowCount() > 0 ? static_cast<QWidget *>(m_tree) : m_empty);
}

void ProblemsView::setOutdated(bool isOutdated) {
  if (std::exchange(m_isOutdated, isOutdated) == isOutdated)
    return;
  m_delegate->setOutdated(isOutdated);
  // Rows stay as the user has opened them.
  if (m_model->rowCount() == 0)
    showRows();
  m_tree->setToolTip(isOutdated ? tr("Of an earlier text: the text of now compiles.") : QString());
  m_tree->viewport()->update();
}

void ProblemsView::setRunning(bool isRunning) {
  if (std::exchange(m_isRunning, isRunning) != isRunning && m_model->rowCount() == 0)
    showRows();
}

void ProblemsView::activate(const QModelIndex &index) {
  if (isFix(index))
    Q_EMIT fixRequested(*m_model->fixAt(index));
  else if (const QString view = m_model->pictureAt(index); !view.isEmpty())
    Q_EMIT pictureRequested(view, m_model->rangeAt(index));
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
  for (int row = 0; row < m_model->rowCount(); ++row) {
    const QModelIndex index = m_model->index(row, 0);
    if (m_model->rangeAt(index) == range)
      return m_tree->setCurrentIndex(index);
    for (int child = 0; m_model->isRepeated(row) && child < m_model->rowCount(index); ++child)
      if (m_model->rangeAt(m_model->index(child, 0, index)) == range)
        return m_tree->setCurrentIndex(index);
  }
}

std::optional<SourceRange> ProblemsView::chosen() const {
  const QModelIndex current = m_tree->currentIndex();
  return current.isValid() ? std::optional(m_model->rangeAt(current)) : std::nullopt;
}

} // namespace tilescope::views
