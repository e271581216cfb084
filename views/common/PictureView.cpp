// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PictureView.h"

#include "views/common/ElidedLabel.h"
#include "views/common/IconButton.h"
#include "views/common/InfoLines.h"
#include "views/common/ScrolledWords.h"
#include "views/common/Scrubber.h"
#include "views/common/Theme.h"

#include <QAccessible>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace tilescope::views {

/// What is between words that share a line.
static constexpr int kBetweenWordsPx = 16;
/// How much of a view's height words about the picture take at most, in percent.
static constexpr int kMostWords = 30;
/// A view of less width has numbers without their sliders, so that several fit into a row.
static constexpr int kNarrowPx = 480;

namespace {
/// The parts of a view, one below another. Where their fields take several rows, as much less is left for
/// the picture, which has a least height all the same.
class Parts : public QWidget {
public:
  using QWidget::QWidget;

  int heightForWidth(int width) const override {
    return std::max(QWidget::heightForWidth(width), layout()->totalMinimumHeightForWidth(width));
  }
};
} // namespace

static QVBoxLayout *createColumn(QWidget *widget) {
  auto *column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  return column;
}

PictureView::PictureView(QWidget *parent)
    : QWidget(parent), m_staleNote(new QLabel(this)), m_pages(new QStackedWidget(this)),
      m_info(new ElidedLabel(this)), m_empty(new QLabel(this)),
      m_writeBlock(new QPushButton(tr("Write a launch block"), this)) {
  m_staleNote->setProperty("tone", QStringLiteral("warning"));
  m_staleNote->setWordWrap(true);
  m_staleNote->setContentsMargins(10, 4, 10, 4);
  m_staleNote->hide();
  m_info->setContentsMargins(10, 3, 10, 3);
  QVBoxLayout *column = createColumn(this);
  column->addWidget(m_staleNote);
  column->addWidget(m_pages, 1);
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  connect(m_writeBlock, &QPushButton::clicked, this, &PictureView::launchBlockRequested);
}

QWidget *PictureView::createBar(QWidget *fields, const QList<QWidget *> &buttons) {
  auto *bar = new QWidget(this);
  bar->setProperty("bar", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  QToolButton *exporter = exportButton(bar);
  auto *row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 3, 6, 3);
  row->setSpacing(6);
  row->addWidget(fields, 1);
  for (QWidget *button : buttons)
    row->addWidget(button, 0, Qt::AlignTop);
  row->addWidget(exporter, 0, Qt::AlignTop);
  connect(exporter, &QToolButton::clicked, this, &PictureView::exportRequested);
  return bar;
}

QWidget *PictureView::createHeader(const QList<ElidedLabel *> &lines) {
  auto *header = new QWidget(this);
  auto *rows = new QVBoxLayout(header);
  rows->setContentsMargins(10, 4, 10, 2);
  rows->setSpacing(1);
  m_lines = rows;
  m_title = lines.front();
  for (QLabel *line : lines) {
    line->setProperty("muted", line == lines.front() || line == lines.back());
    if (line->wordWrap())
      m_wrapped << line;
    rows->addWidget(line);
  }
  return header;
}

QWidget *PictureView::createNothing() {
  auto *nothing = new QWidget(this);
  auto *middle = new QVBoxLayout(nothing);
  m_empty->setWordWrap(true);
  m_empty->setProperty("muted", true);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setContentsMargins(16, 8, 16, 8);
  middle->addStretch(1);
  middle->addWidget(m_empty);
  m_offers = new QHBoxLayout;
  m_offers->addStretch(1);
  m_offers->addWidget(m_writeBlock);
  m_offers->addStretch(1);
  middle->addLayout(m_offers);
  middle->addStretch(1);
  return nothing;
}

void PictureView::setParts(QWidget *bar, QWidget *header, QWidget *picture) {
  auto *content = new Parts(this);
  QVBoxLayout *column = createColumn(content);
  column->addWidget(bar);
  column->addWidget(new ScrolledWords(header, content));
  // As high as there is room, not as high as its parts would like to be.
  picture->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  column->addWidget(picture, 1);
  column->addWidget(m_info);
  // Where text is large and room is small, the parts are scrolled to and do not cover each other.
  auto *scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(content);
  m_pages->addWidget(scroll);
  m_pages->addWidget(createNothing());
}

void PictureView::offerInEmpty(const QList<QPushButton *> &buttons) {
  int at = 1;
  for (QPushButton *button : buttons) {
    button->setAutoDefault(true);
    m_offers->insertWidget(at++, button);
  }
}

void PictureView::setLow(bool isLow) {
  if (std::exchange(m_isLow, isLow) == isLow || !m_lines)
    return;
  m_lines->setDirection(isLow ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  m_lines->setSpacing(isLow ? scaledPx(kBetweenWordsPx) : 1);
  for (QLabel *line : m_wrapped)
    line->setWordWrap(!isLow);
}

void PictureView::setTight(bool isTight) {
  if (std::exchange(m_isTight, isTight) != isTight)
    for (Scrubber *scrubber : findChildren<Scrubber *>())
      scrubber->setLow(isTight);
}

void PictureView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  setLow(isLowView(size()));
  setTight(m_isLow || width() < scaledPx(kNarrowPx));
  if (auto *words = findChild<ScrolledWords *>())
    words->setMostHeight(height() * kMostWords / 100);
  giveInfoLines(*m_info, size());
}

void PictureView::showContent() { m_pages->setCurrentIndex(0); }

void PictureView::showNothing(const QString &why, bool offersBlock) {
  setStaleNote({});
  m_title->clear();
  m_title->setToolTip({});
  m_empty->setText(why);
  m_writeBlock->setVisible(offersBlock);
  m_pages->setCurrentIndex(1);
}

void PictureView::setStaleNote(const QString &note) {
  m_staleNote->setText(note);
  m_staleNote->setVisible(!note.isEmpty() && hasContent());
}

bool PictureView::isStale() const { return !m_staleNote->isHidden(); }

QWidget *PictureView::header() const { return m_title; }

QString PictureView::infoText() const { return m_info->text(); }

void PictureView::setInfo(const QString &info, const QList<QWidget *> &canvases) {
  m_info->setText(info);
  for (QWidget *canvas : canvases) {
    canvas->setAccessibleDescription(m_info->text());
    QAccessibleEvent changed(canvas, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
  }
}

QImage PictureView::smallPicture(QSize size) const {
  return canExport() ? views::smallPicture(exported(), size, devicePixelRatioF()) : QImage();
}

bool PictureView::exportSvg(const QString &path) const {
  return canExport() && writeSvg(exported(), path);
}

bool PictureView::exportPng(const QString &path) const {
  return canExport() && writePng(exported(), path);
}

} // namespace tilescope::views
