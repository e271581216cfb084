// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/help/GlossaryView.h"

#include "views/common/Theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QScreen>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

GlossaryView::GlossaryView(QWidget *parent)
    : QDialog(parent), m_search(new QLineEdit(this)), m_page(new QTextBrowser(this)) {
  setWindowTitle(tr("Glossary"));
  m_search->setPlaceholderText(tr("Search"));
  m_search->setAccessibleName(tr("Search the glossary"));
  m_search->setClearButtonEnabled(true);
  m_search->installEventFilter(this);
  m_page->setAccessibleName(windowTitle());
  m_page->setFrameShape(QFrame::NoFrame);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(m_search);
  layout->addWidget(m_page, 1);
  connect(m_search, &QLineEdit::textChanged, this, &GlossaryView::showPage);
  showPage();
  const QSize room = screen()->availableSize() * 9 / 10;
  resize(QSize(scaledPx(560), scaledPx(640)).boundedTo(room));
}

void GlossaryView::showPage() {
  m_page->document()->setDefaultFont(uiFont());
  m_page->setMarkdown(glossaryPage(m_entries, m_search->text()));
  m_page->document()->setDocumentMargin(scaledPx(10));
  // Space between entries.
  for (QTextBlock block = m_page->document()->begin(); block.isValid(); block = block.next())
    if (QTextBlockFormat format = block.blockFormat(); format.headingLevel() > 0) {
      format.setTopMargin(block.blockNumber() > 0 ? scaledPx(12) : 0);
      QTextCursor(block).setBlockFormat(format);
    }
  m_page->moveCursor(QTextCursor::Start);
}

void GlossaryView::showTopic(const QString &topic) {
  const auto found = std::ranges::find_if(m_entries, [&](const GlossaryEntry &entry) {
    for (const QString &name :
         {topic, topic + QStringLiteral(" view"), QStringLiteral("tl.") + topic})
      if (entry.term.compare(name, Qt::CaseInsensitive) == 0)
        return true;
    return false;
  });
  m_search->setText(topic.isEmpty() || found == m_entries.end() ? QString() : found->term);
  // Typing looks for something else.
  m_search->selectAll();
}

QString GlossaryView::shownText() const { return m_page->toPlainText(); }

bool GlossaryView::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_search && event->type() == QEvent::KeyPress) {
    QScrollBar *bar = m_page->verticalScrollBar();
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Down:
      bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
      return true;
    case Qt::Key_Up:
      bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
      return true;
    case Qt::Key_PageDown:
      bar->triggerAction(QAbstractSlider::SliderPageStepAdd);
      return true;
    case Qt::Key_PageUp:
      bar->triggerAction(QAbstractSlider::SliderPageStepSub);
      return true;
    default:
      break;
    }
  }
  return QDialog::eventFilter(watched, event);
}

void GlossaryView::changeEvent(QEvent *event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
    showPage();
}

void showGlossary(QWidget *parent, const QString &topic) {
  auto *view = parent->findChild<GlossaryView *>({}, Qt::FindDirectChildrenOnly);
  if (!view) {
    view = new GlossaryView(parent);
    view->setAttribute(Qt::WA_DeleteOnClose);
  }
  view->showTopic(topic);
  view->show();
  view->raise();
  view->activateWindow();
  view->searchField().setFocus();
}

} // namespace tilescope::views
