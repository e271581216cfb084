// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/FixPopup.h"

#include "views/common/CodeView.h"
#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"
#include "views/editor/PopupPlacement.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace tilescope::views {

static constexpr int kWidthPx = 620;
static constexpr int kMostRows = 6;
static constexpr int kMostPreviewLines = 12;
/// Of an explanation; a longer one scrolls.
static constexpr int kMostExplanationPx = 320;
static constexpr int kInsetPx = 8;

FixPopup::FixPopup(QWidget *parent)
    : QFrame(parent, Qt::Popup), m_explanation(new QTextBrowser(this)),
      m_list(new QListWidget(this)), m_facts(new QLabel(this)), m_preview(new CodeView(this)) {
  setProperty("popup", true);
  setAttribute(Qt::WA_StyledBackground);
  setFocusProxy(m_list);
  m_explanation->setAccessibleName(tr("Why this is wrong"));
  m_explanation->setFrameShape(QFrame::NoFrame);
  m_explanation->setFocusPolicy(Qt::NoFocus);
  m_explanation->setOpenLinks(false);
  m_explanation->hide();
  m_list->setAccessibleName(tr("Fixes"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setMouseTracking(true);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->installEventFilter(this);
  m_facts->setProperty("muted", true);
  m_facts->setContentsMargins(8, 5, 8, 5);
  m_facts->setWordWrap(true);
  m_facts->setTextFormat(Qt::PlainText);
  m_preview->setFrameShape(QFrame::NoFrame);
  m_preview->setFocusPolicy(Qt::NoFocus);
  m_preview->setAccessibleName(tr("What the fix changes"));
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->setSpacing(0);
  layout->addWidget(m_explanation);
  layout->addWidget(m_list);
  layout->addWidget(m_facts);
  layout->addWidget(m_preview, 1);
  connect(m_list, &QListWidget::currentRowChanged, this, &FixPopup::showPreview);
  connect(m_list, &QListWidget::itemEntered, m_list,
          [this](QListWidgetItem *item) { m_list->setCurrentItem(item); });
  connect(m_list, &QListWidget::itemClicked, this, &FixPopup::choose);
}

void FixPopup::present(std::string text, std::vector<OfferedFix> fixes, const QRect &anchor) {
  m_text = std::move(text);
  m_fixes = std::move(fixes);
  m_anchor = anchor;
  const QSignalBlocker blocker(m_list);
  m_list->clear();
  for (const std::string &title : fixTitles(m_fixes))
    m_list->addItem(quotedCode(QString::fromStdString(title)));
  m_list->setCurrentRow(0);
  m_list->setHidden(m_fixes.empty());
  m_facts->setHidden(true);
  m_preview->setHidden(m_fixes.empty());
  showPreview();
  place();
  show();
  if (m_fixes.empty())
    setFocus();
  else
    m_list->setFocus();
}

void FixPopup::explain(const QString &explanation, std::string text, std::vector<OfferedFix> fixes,
                       const QRect &anchor) {
  m_explanation->document()->setDefaultFont(uiFont());
  m_explanation->document()->setDocumentMargin(kInsetPx);
  m_explanation->setMarkdown(explanation);
  m_explanation->show();
  present(std::move(text), std::move(fixes), anchor);
}

QString FixPopup::explanation() const {
  return m_explanation->isHidden() ? QString() : m_explanation->toPlainText();
}

int FixPopup::current() const { return m_list->currentRow(); }

QString FixPopup::facts() const { return m_facts->text(); }

void FixPopup::showPreview() {
  const int row = m_list->currentRow();
  if (row < 0 || row >= static_cast<int>(m_fixes.size()))
    return;
  const OfferedFix &fix = m_fixes[static_cast<size_t>(row)];
  QStringList facts;
  for (const std::string &fact : outcomeFacts(fix.outcome))
    facts << QString::fromStdString(fact);
  m_facts->setText(facts.join(u'\n'));
  m_facts->setHidden(facts.isEmpty());
  const UnifiedDiff diff = fixPreview(m_text, fix.edit);
  m_preview->setText(diff.text, TextLanguage::Plain);
  m_preview->setDiff(diff.lines);
  m_preview->setAccessibleDescription(QString::fromStdString(diff.text));
  place();
}

void FixPopup::place() {
  const QRect screen = screenAround(m_anchor, *parentWidget());
  setGeometry(
      placeBeside(fittingSize(fittingWidth(screen.width())), m_anchor, screen, PopupSide::Below));
  // What is wider than the screen is scrolled to where it differs.
  layout()->activate();
  m_preview->revealFirstDifference();
}

int FixPopup::fittingWidth(int most) const {
  if (m_fixes.empty())
    return kWidthPx;
  // Line numbers of both texts and the signs stand in front of the code.
  constexpr int kGutterColumns = 14;
  const int columns = m_preview->document().maxColumns() + kGutterColumns;
  const int code = columns * QFontMetrics(codeFont()).horizontalAdvance(u'0') + scaledPx(24);
  // The text around it stays in sight.
  return std::clamp(code, kWidthPx, std::max(kWidthPx, most * 2 / 3));
}

QSize FixPopup::fittingSize(int width) const {
  if (!m_explanation->isHidden()) {
    // The browser lays its own document out for the width that it has now.
    const std::unique_ptr<QTextDocument> document(m_explanation->document()->clone());
    document->setTextWidth(width - 2);
    m_explanation->setFixedHeight(
        std::min(qRound(document->size().height()) + 2, scaledPx(kMostExplanationPx)));
  }
  const int above = m_explanation->isHidden() ? 0 : m_explanation->height();
  if (m_fixes.empty())
    return {width, above + 2};
  const int rowHeight = std::max(1, m_list->sizeHintForRow(0));
  const int rows = std::min(kMostRows, static_cast<int>(m_fixes.size()));
  m_list->setFixedHeight(rows * rowHeight + 4);
  const int factsHeight = m_facts->isHidden() ? 0 : m_facts->heightForWidth(width - 2);
  const int lines = std::min(kMostPreviewLines, m_preview->document().numLines());
  const int lineHeight = QFontMetrics(codeFont()).height() + 4;
  return {width, above + m_list->height() + factsHeight + (lines + 1) * lineHeight + 2};
}

void FixPopup::choose() {
  const int row = m_list->currentRow();
  if (row < 0)
    return;
  const OfferedFix fix = m_fixes[static_cast<size_t>(row)];
  close();
  Q_EMIT chosen(fix);
}

bool FixPopup::eventFilter(QObject *watched, QEvent *event) {
  if (watched != m_list || event->type() != QEvent::KeyPress)
    return QFrame::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent *>(event)->key();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    choose();
    return true;
  }
  if (key == Qt::Key_Escape) {
    close();
    return true;
  }
  return false;
}

/// Without a list, the keys are the popup's own.
void FixPopup::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Return)
    close();
}

} // namespace tilescope::views
