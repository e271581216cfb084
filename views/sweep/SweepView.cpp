// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/sweep/SweepView.h"

#include "profiler/analysis/SweepWords.h"
#include "views/common/ElidedLabel.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/sweep/SweepCanvas.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace tilescope::views {

using profiler::SweepPicture;

static QString text(const std::string &value) { return QString::fromStdString(value); }

SweepView::SweepView(QWidget *parent)
    : PictureView(parent), m_title(new ElidedLabel(this)), m_summary(new ElidedLabel(this)),
      m_progress(new ElidedLabel(this)), m_pictures(new QComboBox(this)),
      m_start(new QToolButton(this)), m_write(new QToolButton(this)),
      m_writeTable(new QPushButton(tr("Write a [sweep] table"), this)),
      m_canvas(new SweepCanvas(this)), m_model(new SweepModel(this)),
      m_table(new QTableView(this)) {
  createWidgets();
  setParts(createBar(m_pictures, {m_start, m_write}),
           createHeader({m_title, m_progress, m_summary}), createPicture());
  auto *sweep = new QPushButton(tr("Sweep"), this);
  auto *open = new QPushButton(tr("Open sweep…"), this);
  offerInEmpty({m_writeTable, sweep, open});
  m_writeTable->hide();
  connect(m_writeTable, &QPushButton::clicked, this, &SweepView::tableRequested);
  connect(sweep, &QPushButton::clicked, this, &SweepView::sweepRequested);
  connect(open, &QPushButton::clicked, this, &SweepView::openRequested);
  setFocusProxy(m_canvas);
  connectState();
  clear(tr("Nothing has been swept yet."));
}

void SweepView::createWidgets() {
  m_pictures->setAccessibleName(tr("Picture of the sweep"));
  m_pictures->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_pictures->setMinimumContentsLength(12);
  m_write->setText(tr("Write winner"));
  m_write->setAccessibleName(tr("Write the winner into the file"));
  m_summary->setWordWrap(true);
  m_progress->setWordWrap(true);
}

QWidget *SweepView::createPicture() {
  m_table->setModel(m_model);
  m_table->setAccessibleName(tr("Points of the sweep, the fastest first"));
  setUpRows(m_table);
  // There are as many names as the sweep has: all columns can be reached.
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(m_canvas);
  splitter->addWidget(m_table);
  splitter->setSizes({500, 500});
  giveRoom(m_table, splitter);
  return splitter;
}

void SweepView::connectState() {
  connect(m_pictures, &QComboBox::currentIndexChanged, this, &SweepView::showPicture);
  connect(m_canvas, &PictureCanvas::placeHovered, this, &SweepView::pointAt);
  connect(m_canvas, &PictureCanvas::placePinned, this, [this](int mark) {
    pointAt(mark);
    if (const int point = pointOf(mark); point >= 0)
      Q_EMIT pointChosen(static_cast<size_t>(point));
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &index) {
            if (!m_isFollowing)
              showPoint(m_model->pointAt(index.row()));
          });
  const auto choose = [this](const QModelIndex &index) {
    if (const int point = m_model->pointAt(index.row()); point >= 0)
      Q_EMIT pointChosen(static_cast<size_t>(point));
  };
  connect(m_table, &QTableView::clicked, this, choose);
  connect(m_table, &QTableView::activated, this, choose);
  connect(m_start, &QToolButton::clicked, this, [this] {
    if (m_state.isEmpty())
      Q_EMIT sweepRequested();
    else
      Q_EMIT stopRequested();
  });
  connect(m_write, &QToolButton::clicked, this, &SweepView::writeRequested);
}

void SweepView::setSweep(SweepPointer sweep, const QString &place) {
  const int shown = m_model->pointAt(m_table->currentIndex().row());
  const bool isOther = !m_sweep || m_sweep->axes != sweep->axes || m_sweep->file != sweep->file;
  m_sweep = std::move(sweep);
  QStringList title{QFileInfo(text(m_sweep->file)).fileName(), text(m_sweep->kernel)};
  if (!m_sweep->launch.empty())
    title << tr("launch %1").arg(text(m_sweep->launch));
  title << text(m_sweep->device.empty() ? m_sweep->target : m_sweep->device);
  if (!place.isEmpty())
    title << place;
  m_title->setText(title.join(QStringLiteral(" · ")));
  QString summary = text(profiler::sweepCountsText(*m_sweep));
  if (const auto winner = profiler::sweepWinner(*m_sweep))
    summary +=
        tr(" · winner: %1")
            .arg(text(profiler::sweepWinnerText(*winner, profiler::sweepGroups(*m_sweep).size())));
  else if (m_sweep->device.empty())
    summary += tr(" · no winner: times need a GPU");
  for (const std::string &note : m_sweep->notes)
    summary += QStringLiteral(" · ") + text(note);
  m_summary->setText(summary);
  {
    const QScopedValueRollback following(m_isFollowing, true);
    m_model->setSweep(m_sweep);
  }
  fillPictures();
  setStaleNote({});
  showContent();
  updateButtons();
  showPoint(isOther ? -1 : shown);
}

void SweepView::clear(const QString &why, bool) {
  if (!m_sweep && why == m_whyEmpty)
    return;
  m_sweep.reset();
  m_whyEmpty = why;
  m_drawn.clear();
  m_model->setSweep(nullptr);
  m_canvas->setPicture({});
  updateButtons();
  updateEmpty();
}

/// The one that is shown stays while there is one of that name.
void SweepView::fillPictures() {
  const QString before = m_pictures->currentText();
  m_drawn = profiler::sweepPictures(*m_sweep);
  const QSignalBlocker blocker(m_pictures);
  m_pictures->clear();
  for (const SweepPicture &picture : m_drawn)
    m_pictures->addItem(picture.group.empty()
                            ? text(picture.title)
                            : tr("%1, %2").arg(text(picture.title), text(picture.group)));
  m_pictures->setCurrentIndex(std::max(0, m_pictures->findText(before)));
  m_pictures->setEnabled(m_drawn.size() > 1);
  showPicture();
}

void SweepView::showPicture() {
  const int index = m_pictures->currentIndex();
  const bool isDrawn = index >= 0 && index < static_cast<int>(m_drawn.size());
  m_canvas->setPicture(isDrawn ? m_drawn[static_cast<size_t>(index)] : SweepPicture());
  m_canvas->setEmptyText(!m_sweep                  ? QString()
                         : m_sweep->device.empty() ? tr("Without a GPU there are no times to draw: "
                                                        "the table has what the compiler says.")
                                                   : tr("Too few points have times to be drawn."));
  if (m_sweep)
    showPoint(m_model->pointAt(m_table->currentIndex().row()));
}

int SweepView::pointOf(int mark) const {
  const auto &marks = m_canvas->picture().marks;
  return mark >= 0 && mark < static_cast<int>(marks.size())
             ? static_cast<int>(marks[static_cast<size_t>(mark)].point)
             : -1;
}

void SweepView::pointAt(int mark) {
  if (mark >= 0)
    return showPoint(pointOf(mark));
  // The row that was chosen stays.
  showPoint(m_model->pointAt(m_table->currentIndex().row()));
}

void SweepView::showPoint(int point) {
  const QScopedValueRollback following(m_isFollowing, true);
  if (point < 0 || !m_sweep) {
    m_canvas->setHighlighted(-1);
    m_table->setCurrentIndex({});
    const int index = m_pictures->currentIndex();
    return setInfo(index >= 0 && index < static_cast<int>(m_drawn.size())
                       ? text(m_drawn[static_cast<size_t>(index)].caption)
                       : QString(),
                   {m_canvas});
  }
  m_canvas->setHighlighted(m_canvas->markOf(static_cast<size_t>(point)));
  m_table->setCurrentIndex(m_model->index(m_model->rowOf(static_cast<size_t>(point)), 0));
  const profiler::SweepPoint &shown = m_sweep->points[static_cast<size_t>(point)];
  QString info = text(profiler::pointText(shown));
  if (!shown.reason.empty())
    info += QStringLiteral(" · ") + text(shown.reason);
  setInfo(info, {m_canvas});
}

void SweepView::setOutdated(const QString &reason) {
  setStaleNote(reason.isEmpty() ? QString() : tr("Outdated: %1").arg(reason));
  updateButtons();
}

void SweepView::setProgress(const QString &state) {
  m_state = state;
  updateButtons();
  updateEmpty();
}

void SweepView::setTableOffered(bool isOffered) { m_writeTable->setVisible(isOffered); }

void SweepView::setFailure(const QString &failure) {
  m_failure = failure;
  updateEmpty();
}

/// Why there are no values to write; empty: there are.
QString SweepView::whyNotWritten() const {
  if (!m_sweep)
    return tr("Nothing has been swept yet");
  if (!m_state.isEmpty())
    return tr("The sweep is still running");
  if (isStale())
    return tr("The sweep was of another text");
  const auto winner = profiler::sweepWinner(*m_sweep);
  if (winner)
    return winner->configuration.empty() ? tr("Only sizes were swept, of which none wins")
                                         : QString();
  const bool hasTimes = std::ranges::any_of(m_sweep->points, &profiler::SweepPoint::hasTime);
  return hasTimes ? tr("There is no winner: no configuration has a time for all sizes on one GPU")
                  : tr("There is no winner: no point has a time, which needs a GPU");
}

void SweepView::updateButtons() {
  m_start->setText(m_state.isEmpty() ? tr("Sweep") : tr("Stop"));
  m_start->setAccessibleName(m_start->text());
  m_start->setToolTip(m_state.isEmpty()
                          ? tr("Compiles and measures the kernel with all values of its `[sweep]` "
                               "and of `@triton.autotune`")
                          : tr("Ends the sweep; what was measured stays"));
  const QString whyNot = whyNotWritten();
  m_write->setEnabled(whyNot.isEmpty());
  m_write->setToolTip(
      whyNot.isEmpty() ? tr("Writes the winner's values into the file's launch block") : whyNot);
}

/// Above the sweep before, or in the place of one.
void SweepView::updateEmpty() {
  const bool isFailure = m_state.isEmpty() && !m_failure.isEmpty();
  const QString said = isFailure ? m_failure : m_state;
  m_progress->setText(said);
  m_progress->setHidden(said.isEmpty());
  const QString tone = isFailure ? QStringLiteral("error") : QString();
  if (m_progress->property("tone").toString() != tone)
    setStyleProperty(m_progress, "tone", tone);
  if (!m_sweep)
    showNothing(said.isEmpty() ? m_whyEmpty : said, false);
}

QString SweepView::titleText() const { return m_title->text(); }
QString SweepView::summaryText() const { return m_summary->text(); }
QString SweepView::progressText() const { return m_progress->text(); }
QString SweepView::emptyText() const {
  return m_sweep ? QString() : m_progress->isHidden() ? m_whyEmpty : m_progress->text();
}

bool SweepView::canExport() const { return m_sweep && !m_canvas->picture().isEmpty(); }

ExportedPicture SweepView::exported() const {
  const SweepPicture &picture = m_canvas->picture();
  return {{titleText(), m_pictures->currentText(), summaryText()},
          m_canvas->heightFor(picture.width),
          [this](QPainter &painter, const QRectF &target) { m_canvas->render(painter, target); }};
}

void SweepView::changeEvent(QEvent *event) {
  PictureView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    m_canvas->viewport()->update();
}

} // namespace tilescope::views
