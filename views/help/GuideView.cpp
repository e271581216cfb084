// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/help/GuideView.h"

#include "views/common/Theme.h"
#include "views/help/GuideSearchBar.h"
#include "views/help/InFront.h"

#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>
#include <QWindow>

#include <algorithm>
#include <functional>
#include <utility>

namespace tilescope::views {

/// In a narrower window the list of pages would take the room of the text.
static constexpr int kListedPx = 640;
/// Of a screen on which the guide has room beside the program's window only if it is narrow.
static constexpr int kNarrowScreenPx = 1600;

/// Until a window that is made larger has its size.
static constexpr int kResizeMs = 150;

/// Beside a picture: without it, the page could be scrolled to the side.
static constexpr int kPictureEdge = 16;

/// In the order in which they are read.
static constexpr const char *kPages[] = {"guide/window",
                                         "launch_block",
                                         "guide/running",
                                         "guide/cpu-and-gpu",
                                         "guide/lessons",
                                         "guide/presenter",
                                         "guide/columns",
                                         "guide/stepping",
                                         "guide/layout",
                                         "guide/access",
                                         "guide/shared-memory",
                                         "guide/pipeline",
                                         "guide/conversion",
                                         "guide/programs",
                                         "guide/registers",
                                         "guide/history",
                                         "guide/profile",
                                         "guide/trace",
                                         "guide/compare",
                                         "guide/sweep",
                                         "guide/models",
                                         "guide/machines",
                                         "guide/exchange",
                                         "guide/hints",
                                         "guide/walkthrough-transpose",
                                         "guide/walkthrough-softmax",
                                         "guide/walkthrough-matmul",
                                         "counts",
                                         "estimate",
                                         "lessons"};

std::vector<GuidePage> guidePages() {
  std::vector<GuidePage> pages;
  for (const char *name : kPages) {
    const QString path = QStringLiteral("/help/%1.md").arg(QString::fromLatin1(name));
    QFile file(u':' + path);
    if (!file.open(QIODevice::ReadOnly))
      continue;
    QString title = QString::fromUtf8(file.readLine()).trimmed();
    title.remove(QStringLiteral("# ")).remove(QStringLiteral("Reading the ")).remove(u'`');
    title[0] = title[0].toUpper();
    pages.push_back({QStringLiteral("qrc") + u':' + path, title});
  }
  return pages;
}

namespace {
/// Pictures are as wide as the page at most.
class GuideBrowser : public QTextBrowser {
public:
  GuideBrowser(std::function<void()> resized, QWidget *parent)
      : QTextBrowser(parent), m_resized(std::move(resized)) {}

protected:
  QVariant loadResource(int type, const QUrl &name) override {
    const QVariant loaded = QTextBrowser::loadResource(type, name);
    if (type != QTextDocument::ImageResource || !loaded.canConvert<QByteArray>())
      return loaded;
    const QImage image = QImage::fromData(loaded.toByteArray());
    const int room = viewport()->width() - 2 * qRound(document()->documentMargin()) - kPictureEdge;
    return image.width() <= room || room <= 0 ? image
                                              : image.scaledToWidth(room, Qt::SmoothTransformation);
  }

  /// A page that is read anew has another height for a moment: only another width counts.
  void resizeEvent(QResizeEvent *event) override {
    QTextBrowser::resizeEvent(event);
    if (std::exchange(m_width, viewport()->width()) != viewport()->width())
      m_resized();
  }

private:
  std::function<void()> m_resized;
  int m_width = 0;
};
} // namespace

/// Space around headings, the program's font, and long lines of code that go on in the next line. Qt lays out a long page little by little, and a
/// change meanwhile would leave parts of it out, so at the end all of it is laid out anew.
static void layOut(QTextDocument &document) {
  document.setDefaultFont(uiFont());
  document.setDocumentMargin(scaledPx(10));
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextBlockFormat format = block.blockFormat();
    const bool isHeading = format.headingLevel() > 0 && block.blockNumber() > 0;
    if (!isHeading && !format.nonBreakableLines())
      continue;
    if (isHeading)
      format.setTopMargin(scaledPx(14));
    format.setNonBreakableLines(false);
    QTextCursor(block).setBlockFormat(format);
  }
  document.markContentsDirty(0, document.characterCount());
}

// A window like any other: a dialog would stay above the one in which its steps are followed.
GuideView::GuideView(QWidget *parent)
    : QDialog(parent, Qt::Window), m_list(new QListWidget(this)), m_field(new QComboBox(this)),
      m_page(new GuideBrowser([this] { m_resized.start(); }, this)) {
  setWindowTitle(tr("User's guide"));
  m_resized.setSingleShot(true);
  m_resized.setInterval(kResizeMs);
  connect(&m_resized, &QTimer::timeout, this, &GuideView::refresh);
  createPages();
  createSearch();
  m_page->setAccessibleName(windowTitle());
  m_page->setFrameShape(QFrame::NoFrame);
  m_page->setOpenExternalLinks(true);
  // One that comes and goes would change the width while a page is laid out.
  m_page->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  // Columns of a table are rounded, and may be a pixel wider together than the page.
  m_page->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto *splitter = new QSplitter(this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(m_list);
  splitter->addWidget(m_page);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({scaledPx(250), scaledPx(690)});
  auto *rows = new QVBoxLayout(this);
  rows->addWidget(m_search);
  rows->addWidget(m_field);
  rows->addWidget(splitter, 1);
  connect(m_list, &QListWidget::currentRowChanged, this, &GuideView::showRow);
  connect(m_field, &QComboBox::activated, m_list, [this](int row) { m_list->setCurrentRow(row); });
  connect(m_page, &QTextBrowser::sourceChanged, this, [this] {
    layOut(*m_page->document());
    markWords();
  });
  // Later: the page has its new address only then.
  connect(m_page, &QTextBrowser::sourceChanged, this, &GuideView::followPage, Qt::QueuedConnection);
  placeOnScreen();
  m_list->setCurrentRow(0);
}

void GuideView::createPages() {
  m_list->setAccessibleName(tr("Pages of the guide"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_field->setAccessibleName(m_list->accessibleName());
  for (const GuidePage &page : m_pages) {
    m_list->addItem(page.title);
    m_field->addItem(page.title);
  }
  m_field->setMaxVisibleItems(m_field->count());
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setMinimumWidth(m_list->sizeHintForColumn(0) + scaledPx(20));
}

/// The parts of all pages, as the page shows them.
static std::vector<std::vector<GuidePart>> partsOf(const std::vector<GuidePage> &pages) {
  std::vector<std::vector<GuidePart>> parts;
  for (const GuidePage &page : pages) {
    QFile file(page.address.mid(static_cast<qsizetype>(std::char_traits<char>::length("qrc"))));
    QTextDocument document;
    if (file.open(QIODevice::ReadOnly))
      document.setMarkdown(QString::fromUtf8(file.readAll()));
    parts.push_back(guideParts(document));
  }
  return parts;
}

void GuideView::createSearch() {
  m_search = new GuideSearchBar(
      [this] { return partsOf(m_pages); },
      [this](int page) { return m_pages[static_cast<size_t>(page)].title; }, this);
  connect(m_search, &GuideSearchBar::hitChosen, this, &GuideView::showHit);
  connect(m_search, &GuideSearchBar::searched, this, &GuideView::markWords);
  const auto add = [this](QKeySequence::StandardKey key, auto act) {
    connect(new QShortcut(QKeySequence(key), this), &QShortcut::activated, m_search, act);
  };
  add(QKeySequence::Find, [this] { m_search->open(); });
  add(QKeySequence::FindNext, [this] { m_search->step(true); });
  add(QKeySequence::FindPrevious, [this] { m_search->step(false); });
}

void GuideView::showHit(const GuideHit &hit) {
  m_list->setCurrentRow(hit.page);
  const std::vector<GuidePart> parts = guideParts(*m_page->document());
  if (hit.part >= static_cast<int>(parts.size()))
    return;
  const GuidePart &part = parts[static_cast<size_t>(hit.part)];
  QTextCursor cursor(m_page->document());
  // What follows is in sight, too, and then the beginning.
  cursor.setPosition(part.end);
  m_page->setTextCursor(cursor);
  cursor.setPosition(part.begin);
  m_page->setTextCursor(cursor);
  m_page->ensureCursorVisible();
}

void GuideView::markWords() {
  const QStringList words = m_search->words();
  QList<QTextEdit::ExtraSelection> marks;
  if (!words.isEmpty())
    for (const GuidePart &part : guideParts(*m_page->document())) {
      if (!hasWords(part.text, words))
        continue;
      for (const QString &word : words)
        for (QTextCursor at = m_page->document()->find(word, part.begin);
             !at.isNull() && at.selectionEnd() <= part.end;
             at = m_page->document()->find(word, at)) {
          QTextEdit::ExtraSelection mark;
          mark.cursor = at;
          mark.format.setBackground(theme()[ColorRole::FocusStrong]);
          marks.push_back(mark);
        }
    }
  m_page->setExtraSelections(marks);
}

/// At the right of a small screen, narrow, so that the program's window can be beside it.
void GuideView::placeOnScreen() {
  const QRect room = screen()->availableGeometry();
  const bool isNarrow = room.width() < kNarrowScreenPx;
  resize(QSize(scaledPx(isNarrow ? 470 : 980), isNarrow ? room.height() : scaledPx(680))
             .boundedTo(room.size() * 9 / 10));
  if (isNarrow)
    move(room.right() - width(), room.top());
}

QWidget &GuideView::pages() {
  return m_list->isHidden() ? static_cast<QWidget &>(*m_field) : *m_list;
}

GuidePlace GuideView::place() const {
  const QScrollBar &bar = *m_page->verticalScrollBar();
  return {m_page->source().adjusted(QUrl::RemoveFragment).toString(),
          static_cast<double>(bar.value()) / std::max(1, bar.maximum()), saveGeometry()};
}

void GuideView::goTo(const GuidePlace &place) {
  if (!place.geometry.isEmpty())
    restoreGeometry(place.geometry);
  for (size_t i = 0; i < m_pages.size(); ++i)
    if (m_pages[i].address == place.page)
      m_list->setCurrentRow(static_cast<int>(i));
  // As high as it is once the window has its size.
  m_wanted = place.place;
}

void GuideView::resizeEvent(QResizeEvent *event) {
  QDialog::resizeEvent(event);
  const bool isNarrow = width() < scaledPx(kListedPx);
  m_list->setVisible(!isNarrow);
  m_field->setVisible(isNarrow);
}

void GuideView::hideEvent(QHideEvent *event) {
  QDialog::hideEvent(event);
  Q_EMIT left();
}

void GuideView::showRow(int row) {
  if (row < 0 || row >= static_cast<int>(m_pages.size()))
    return;
  m_field->setCurrentIndex(row);
  const QUrl address(m_pages[static_cast<size_t>(row)].address);
  if (m_page->source().adjusted(QUrl::RemoveFragment) != address)
    m_page->setSource(address);
}

void GuideView::followPage() {
  const QString address = m_page->source().adjusted(QUrl::RemoveFragment).toString();
  for (size_t i = 0; i < m_pages.size(); ++i)
    if (m_pages[i].address == address)
      m_list->setCurrentRow(static_cast<int>(i));
}

void GuideView::refresh() {
  QScrollBar *bar = m_page->verticalScrollBar();
  const double place =
      std::exchange(m_wanted, std::nullopt)
          .value_or(static_cast<double>(bar->value()) / std::max(1, bar->maximum()));
  m_page->reload();
  layOut(*m_page->document());
  bar->setValue(qRound(place * bar->maximum()));
  markWords();
}

void GuideView::changeEvent(QEvent *event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
    m_resized.start();
}

GuideView *showGuide(QWidget *parent, const GuidePlace &place) {
  auto *view = parent->findChild<GuideView *>({}, Qt::FindDirectChildrenOnly);
  if (!view) {
    view = new GuideView(parent);
    view->goTo(place);
    // Some systems keep above its parent what belongs to it.
    view->winId();
    view->windowHandle()->setTransientParent(nullptr);
  }
  bringToFront(*view, view->pages());
  return view;
}

} // namespace tilescope::views
