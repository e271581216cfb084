// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/help/GlossaryView.h"

#include "views/common/Theme.h"
#include "views/help/InFront.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QScreen>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

GlossaryView::GlossaryView(HelpSource source, QWidget *parent)
    : QDialog(parent), m_source(std::move(source)), m_search(new QLineEdit(this)),
      m_page(new QTextBrowser(this)) {
  setWindowTitle(tr("Glossary and help"));
  m_search->setPlaceholderText(tr("Search words, functions and messages"));
  m_search->setAccessibleName(tr("Search the glossary and the help pages"));
  m_search->setClearButtonEnabled(true);
  m_search->installEventFilter(this);
  m_page->setAccessibleName(windowTitle());
  m_page->setFrameShape(QFrame::NoFrame);
  m_page->setOpenLinks(false);
  connect(m_page, &QTextBrowser::anchorClicked, this, &GlossaryView::follow);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(m_search);
  layout->addWidget(m_page, 1);
  connect(m_search, &QLineEdit::textChanged, this, [this] {
    if (!m_isFilling)
      showPage();
  });
  const QSize room = screen()->availableSize() * 9 / 10;
  resize(QSize(scaledPx(560), scaledPx(640)).boundedTo(room));
}

void GlossaryView::follow(const QUrl &link) {
  if (link.scheme() == QLatin1String(kHelpScheme))
    showTopic(link.path());
  else if (link.scheme() == QLatin1String(kHelpSearchScheme))
    search(link.path());
  else if (link.scheme() == QLatin1String(kHelpSectionScheme))
    showSection(link.path());
}

void GlossaryView::showPage() { setPage(helpPage(m_source, m_search->text())); }

void GlossaryView::setPage(const QString &markdown) {
  m_page->document()->setDefaultFont(uiFont());
  m_page->setMarkdown(markdown);
  m_page->document()->setDocumentMargin(scaledPx(10));
  // Space between entries.
  for (QTextBlock block = m_page->document()->begin(); block.isValid(); block = block.next())
    if (QTextBlockFormat format = block.blockFormat(); format.headingLevel() > 0) {
      format.setTopMargin(block.blockNumber() > 0 ? scaledPx(12) : 0);
      QTextCursor(block).setBlockFormat(format);
    }
  m_page->moveCursor(QTextCursor::Start);
}

void GlossaryView::setWords(const QString &words) {
  const QScopedValueRollback filling(m_isFilling, true);
  m_search->setText(words);
  // Typing looks for something else.
  m_search->selectAll();
}

void GlossaryView::search(const QString &words) {
  setWords(words);
  showPage();
}

void GlossaryView::showTopic(const QString &topic) {
  const std::optional<size_t> page = topic.isEmpty() ? std::nullopt : pageOf(m_source, topic);
  if (page || topic.isEmpty())
    return search(page ? m_source.entries[*page].term : QString());
  setWords(topic);
  setPage(unknownTopicPage(m_source, topic));
}

void GlossaryView::showSection(const QString &section) {
  setWords({});
  setPage(helpSectionPage(m_source, section));
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

GlossaryView *openGlossary(QWidget *parent, const HelpSource &source) {
  auto *view = parent->findChild<GlossaryView *>({}, Qt::FindDirectChildrenOnly);
  if (!view) {
    view = new GlossaryView(source, parent);
    view->setAttribute(Qt::WA_DeleteOnClose);
  }
  bringToFront(*view, view->searchField());
  return view;
}

} // namespace tilescope::views
